/// A type that is encoded directly as a property list, without the containers of `Encodable`.
///
/// A type passes its keys and values to the encoder in the order of the document. Direct encoding is faster than
/// `Encodable`, because the values are written at once, and no container is created. The documents are the same.
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
/// let data = try PlistEncoder(format: .xml).encode([Server(host: "localhost", port: 80)])
/// ```
///
/// Strings, booleans, numbers, dates, data, URLs, UUIDs and property lists conform. Optionals, arrays, sets and
/// dictionaries with string keys conform if their elements conform. An enum or struct whose raw value conforms needs no
/// code. ``PlistValueEncoder/encode(codable:)`` encodes a member whose type conforms only to `Encodable`.
///
/// A type can conform to `Encodable` too. ``PlistEncoder`` then encodes the type directly if it is the outermost value,
/// or a member of a type that is encoded directly.
public protocol PlistEncodable {
  /// Encodes this value.
  ///
  /// A type that encodes nothing is encoded as an empty dictionary.
  ///
  /// - Parameter encoder: The encoder, which accepts one value.
  /// - Throws: Any error. The first error ends the encoding, even if a type catches the error.
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
