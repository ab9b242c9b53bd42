/// A type that is decoded directly from a property list, without the containers of `Decodable`.
///
/// Direct decoding reads the keys of a dictionary in the order of the document, and for each key calls a closure that
/// the type provides. Direct decoding is faster than `Decodable`, which looks up each property and creates a container
/// for each value. Direct decoding gives the same values as `Decodable`, and detects the same mistakes. If a document
/// has several mistakes, direct decoding reports the mistake that comes first in the document.
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
/// The types for strings, booleans, numbers, dates, data, URLs, UUIDs and property lists conform to ``PlistDecodable``.
/// Optionals, arrays, sets and dictionaries with string keys conform to ``PlistDecodable`` if their elements conform. A
/// raw-representable type needs no code for decoding if its raw value conforms to ``PlistDecodable``.
/// ``PlistValueDecoder/decode(codable:)`` decodes a member whose type conforms only to `Decodable`.
///
/// A ``PlistDecodable`` type can also conform to `Decodable`. If a type conforms to both `Decodable` and
/// ``PlistDecodable``, ``PlistDecoder`` decodes the type directly. Elements of collections, and members of `Decodable`
/// types, are also decoded directly if their types conform to ``PlistDecodable``.
public protocol PlistDecodable {
  /// Creates a value from the current value of a decoder.
  ///
  /// - Parameter decoder: A decoder that is positioned at the value to decode.
  /// - Throws: Any error that the type's initializer throws. Errors that the decoder throws contain the position and
  ///   the key path of the value.
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

extension Optional: PlistDecodable where Wrapped: PlistDecodable {
  /// Decodes nil from a value that represents nil, and the wrapped type from any other value.
  @inlinable
  public init(from decoder: inout PlistValueDecoder) throws {
    self = try decoder.decode(Wrapped?.self)
  }
}

extension Array: PlistDecodable where Element: PlistDecodable {
  /// Decodes an array.
  @inlinable
  public init(from decoder: inout PlistValueDecoder) throws {
    if let elements = try decoder.builtIn(Self.self) {
      self = elements
      return
    }
    var elements = Self()
    elements.reserveCapacity(try decoder.count(ofBytes: MemoryLayout<Element>.stride))
    try decoder.decodeArray { _, element in elements.append(try Element(from: &element)) }
    self = elements
  }
}

extension Set: PlistDecodable where Element: PlistDecodable {
  /// Decodes a set from an array; equal elements become one element.
  @inlinable
  public init(from decoder: inout PlistValueDecoder) throws {
    var elements = Self()
    try decoder.decodeArray { _, element in elements.insert(try Element(from: &element)) }
    self = elements
  }
}

extension Dictionary: PlistDecodable where Key == String, Value: PlistDecodable {
  /// Decodes a dictionary with string keys.
  @inlinable
  public init(from decoder: inout PlistValueDecoder) throws {
    var pairs = Self(minimumCapacity: try decoder.count(ofBytes: 2 * MemoryLayout<(Key, Value)>.stride))
    try decoder.decodeDictionary { key, value in pairs[key] = try Value(from: &value) }
    self = pairs
  }
}
