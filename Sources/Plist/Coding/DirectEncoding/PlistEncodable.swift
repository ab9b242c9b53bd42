/// A type that is encoded directly as a property list, without the containers of `Encodable`.
///
/// A type passes its keys and values to the encoder in the order of the document. Direct encoding is faster than
/// `Encodable`, because each value is written immediately, and no container is created. Direct encoding creates the
/// same documents as `Encodable`.
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
/// The types for strings, booleans, numbers, dates, data, URLs, UUIDs and property lists conform to ``PlistEncodable``.
/// Optionals, arrays, sets and dictionaries with string keys conform if their elements conform. A raw-representable
/// type needs no code if its raw value conforms to ``PlistEncodable``. ``PlistValueEncoder/encode(codable:)`` encodes a
/// member whose type conforms only to `Encodable`.
///
/// A ``PlistEncodable`` type can also conform to `Encodable`. ``PlistEncoder`` directly encodes an outermost value that
/// conforms to both `Encodable` and ``PlistEncodable``. A member of a directly encoded value is also encoded directly
/// if the member conforms to ``PlistEncodable``.
public protocol PlistEncodable {
  /// Encodes this value.
  ///
  /// A nested value that encodes nothing is encoded as an empty dictionary. If the outermost value encodes nothing, the
  /// encoding throws an error.
  ///
  /// - Parameter encoder: An encoder that accepts one value.
  /// - Throws: Any error that the type throws. The first error ends the encoding, even if another type catches the
  ///   error.
  func encode(to encoder: inout PlistValueEncoder) throws
}

/// A type that is decoded directly from a property list, and encoded directly as a property list.
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
  /// Encodes the wrapped value, or nil; see ``PlistEncoder/nilEncodingStrategy-swift.property``.
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
  /// Encodes the elements as an array; ``PlistEncoder/unorderedEncodingStrategy-swift.property`` determines their
  /// order.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeSet { array in for element in self { try array.encode(element) } }
  }
}

extension Dictionary: PlistEncodable where Key == String, Value: PlistEncodable {
  /// Encodes a dictionary; the key strategy does not convert the keys, and
  /// ``PlistEncoder/unorderedEncodingStrategy-swift.property`` determines their order.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeDictionary { dictionary in
      try forEachPair(sorted: dictionary.sortsUnordered) { try dictionary.encode($1, forNewKey: $0) }
    }
  }
}
