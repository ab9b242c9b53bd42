/// A type that is decoded directly from a property list, without the containers of `Decodable`.
///
/// Direct decoding reads the keys of a dictionary in the order of the document and calls the type for each of them. It
/// is faster than `Decodable`, which looks up each property and creates a container for each value. The values and the
/// errors are the same.
///
/// ```swift
/// struct Server: PlistDecodable {
///   var host: String
///   var port: Int?
///
///   private static let keys: PlistKeys = ["host", "port"]
///
///   init(from decoder: inout PlistValueDecoder) throws {
///     var host: String?
///     var port: Int?
///     try decoder.decodeDictionary(Self.keys) { key, value in
///       switch key {
///       case 0: host = try value.decode(String.self)
///       default: port = try value.decode(Int?.self)
///       }
///     }
///     self.host = try decoder.require(host, 0, of: Self.keys)
///     self.port = port
///   }
/// }
///
/// let servers = try PlistDecoder().decode([Server].self, from: data)
/// ```
///
/// Strings, booleans, numbers, dates, data, URLs, UUIDs and property lists conform. Optionals, arrays, sets and
/// dictionaries with string keys conform if their elements conform. An enum or struct whose raw value conforms needs no
/// code. ``PlistValueDecoder/decode(codable:)`` decodes a member whose type conforms only to `Decodable`.
///
/// A type can conform to `Decodable` too. ``PlistDecoder`` then decodes it directly, as the outermost value, as an
/// element, and as a member of a type that is only `Decodable`.
public protocol PlistDecodable {
  /// Creates a value from the current value of a decoder.
  ///
  /// - Parameter decoder: The decoder, which stands at the value.
  /// - Throws: Any error; errors of the decoder's methods have the position and the key path of their value.
  init(from decoder: inout PlistValueDecoder) throws
}

extension PlistDecodable where Self: RawRepresentable, RawValue: PlistDecodable {
  /// Creates a value from its raw value.
  public init(from decoder: inout PlistValueDecoder) throws {
    let rawValue = try RawValue(from: &decoder)
    guard let value = Self(rawValue: rawValue) else { throw decoder.unknownCase(rawValue, of: Self.self) }
    self = value
  }
}
