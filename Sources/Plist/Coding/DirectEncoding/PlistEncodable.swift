/// A type that is encoded directly as a property list, without the containers of `Encodable`.
///
/// Such a type passes its keys and values to the encoder in document order. The resulting documents are the same as
/// with `Encodable`, but encoding is faster because each value is written immediately and no encoding containers are
/// created.
///
/// ```swift
/// struct Server: PlistEncodable {
///   var host: String
///   var port: Int?
///
///   private static let keys: PlistKeys = ["host", "port"]
///
///   func encode(to encoder: inout PlistValueEncoder) throws {
///     try encoder.encodeDictionary(Self.keys) { server in
///       try server.encode(host, forKey: 0)
///       try server.encode(port, forKey: 1)
///     }
///   }
/// }
///
/// let data = try PlistEncoder(outputFormat: .xml).encode([Server(host: "localhost", port: 80)])
/// ```
///
/// Strings, booleans, numbers, dates, data, URLs, UUIDs and property lists conform, and so do optionals, arrays, sets
/// and dictionaries with string keys if their elements do. A raw-representable type needs no code if its raw value
/// conforms. For a member that is only `Encodable`, use ``PlistValueEncoder/encode(codable:)``.
///
/// A type that is also `Encodable` is encoded directly if it is the root or a member of a directly encoded value.
public protocol PlistEncodable {
  /// Encodes this value.
  ///
  /// A nested value that encodes nothing becomes an empty dictionary. A root that encodes nothing is an error.
  ///
  /// - Parameter encoder: An encoder that accepts one value.
  /// - Throws: Any error. The first error ends encoding, even if another type catches it.
  func encode(to encoder: inout PlistValueEncoder) throws
}

/// A type that can be decoded and encoded directly.
///
/// ```swift
/// enum Level: String, PlistCodable { case low, high }
/// ```
public typealias PlistCodable = PlistDecodable & PlistEncodable

extension PlistEncodable where Self: RawRepresentable, RawValue: PlistEncodable {
  /// Encodes the raw value.
  public func encode(to encoder: inout PlistValueEncoder) throws { try rawValue.encode(to: &encoder) }
}

extension Optional: PlistEncodable where Wrapped: PlistEncodable {
  /// Encodes the wrapped value or nil; see ``PlistEncoder/nilEncodingStrategy-swift.property``.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    if let self { try self.encode(to: &encoder) } else { try encoder.encodeNil() }
  }
}

extension Array: PlistEncodable where Element: PlistEncodable {
  /// Encodes an array.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeArray { array in
      let elements = span
      for index in elements.indices { try elements.withElement(at: index) { try array.encode($0) } }
    }
  }
}

extension Set: PlistEncodable where Element: PlistEncodable {
  /// Encodes the elements as an array, in the order set by ``PlistEncoder/unorderedEncodingStrategy-swift.property``.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeSet { array in for element in self { try array.encode(element) } }
  }
}

extension Dictionary: PlistEncodable where Key == String, Value: PlistEncodable {
  /// Encodes a dictionary in the order set by ``PlistEncoder/unorderedEncodingStrategy-swift.property``, without
  /// converting its keys.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeDictionary { dictionary in
      try forEachPair(sorted: dictionary.sortsUnordered) { try dictionary.encode($1, forNewKey: $0) }
    }
  }
}
