/// A type that is decoded directly from a property list, without the containers of `Decodable`.
///
/// The decoder goes through a dictionary's keys in document order and calls the type's closure for each one. This is
/// faster than `Decodable`, which looks up each property and creates a container for each value. The decoded values are
/// the same, and the same mistakes are detected; if there are several, the first one in the document is reported.
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
/// Strings, booleans, numbers, dates, data, URLs, UUIDs and property lists conform, and so do optionals, arrays, sets
/// and dictionaries with string keys if their elements do. A raw-representable type needs no code if its raw value
/// conforms. For a member that is only `Decodable`, use ``PlistValueDecoder/decode(codable:)``.
///
/// A type that is also `Decodable` is still decoded directly by ``PlistDecoder``, as an element of a collection, and as
/// a member of a `Decodable` type.
public protocol PlistDecodable {
  /// Creates a value from the current value of a decoder.
  ///
  /// - Parameter decoder: A decoder positioned at the value to decode.
  /// - Throws: Any error. Errors from the decoder have the value's position and key path.
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
  /// Decodes nil, or any other value as the wrapped type.
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
  /// Decodes a set from an array, dropping duplicate elements.
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
