#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes Swift types from property lists in any format that can be read.
///
/// ```swift
/// struct Server: Decodable { var host: String; var port: Int }
/// let servers = try PlistDecoder().decode([Server].self, from: data)
/// ```
///
/// It decodes what Foundation's `PropertyListDecoder` decodes, alike: to switch is to rename it, and to declare it with
/// `var` where its options are set, since it is a value. It goes straight over the bytes of the document, so that only
/// what a type asks for is ever made.
///
/// ## Errors
/// Errors are `DecodingError`s with the whole coding path. Their `underlyingError` is a ``PlistError`` that says where in
/// the document the value is, and `debugDescription` has it all in a line:
///
/// ```
/// servers[3].port at line 120, column 9: expected an integer, found the string "http"
/// ```
///
/// ## Conversions
/// Integers become any integer type that holds them, and reals that are whole too; integers become reals. Nothing else is
/// converted: ``nilDecodingStrategy`` says what is nil. Binary property lists hold single-precision numbers exactly, and
/// a `Float` must be exact there, as with Foundation; the text of XML is rounded.
///
/// A decoder can be used by many tasks at once.
public struct PlistDecoder: Sendable {
  /// What a type's `init(from:)` is given as `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  /// The limits within which documents are read, and what becomes of duplicate keys.
  public var readOptions: PlistReadOptions { didSet { pool = DecodingPool() } }
  /// How the keys of a document become those of a type.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys { didSet { pool = DecodingPool() } }
  /// What stands for nil.
  public var nilDecodingStrategy = NilDecodingStrategy.asFoundation { didSet { pool = DecodingPool() } }
  /// What becomes of keys that no property has read.
  public var unreadKeys = UnreadKeys.ignore { didSet { pool = DecodingPool() } }
  /// What decodings leave for others, of this decoder and its copies; all of them have the same options but `userInfo`.
  private(set) var pool = DecodingPool()

  /// Creates a decoder.
  ///
  /// - Parameter readOptions: The limits within which documents are read, and what becomes of duplicate keys.
  public init(readOptions: PlistReadOptions = PlistReadOptions()) { self.readOptions = readOptions }

  /// Decodes a value from a document whose format is detected.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  /// - Returns: The value.
  /// - Throws: `DecodingError` where the document is invalid or does not match the type, and whatever the type throws.
  /// - Complexity: O(*n*) in the length of the document, as far as the type is.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format)
  }

  /// Decodes a value from a document, and tells the document's format.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  ///   - format: Where to put the format.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)``.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat
  ) throws -> Value {
    try decode(data, format: &format) { try $0.decode(whole: type) }
  }

  /// Decodes a value from a property list.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - propertyList: The property list.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)``; the errors have paths, and no lines.
  public func decode<Value: Decodable>(_ type: Value.Type, from propertyList: PropertyList) throws -> Value {
    try decode(type, from: DecodedDocument(DecodingTree(propertyList)), at: 0)
  }

  /// Decodes the value at a path of a document.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - document: The document.
  ///   - path: The value's path in it, by default that of the root. Coding paths begin there.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)``, and `DecodingError.valueNotFound` where there is nothing at the path.
  /// - Complexity: O(*n*) in the size of the value, and of the containers on its path.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from document: PlistDocument, at path: PropertyListPath = PropertyListPath()
  ) throws -> Value {
    guard let node = document.root[path] else {
      throw DecodingError.valueNotFound(type, Self.nothing(at: path, document.format))
    }
    let decoded = try self.document(document, at: path)
    let start = decoded.backing == .tree ? 0 : node.index
    return try decode(type, from: decoded, at: start)
  }

  /// Decodes a value from a file, which is mapped into memory meanwhile.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - url: The file's URL.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)``; where the file cannot be read, the underlying error is of the category
  ///   ``PlistError/Category/io``.
  public func decode<Value: Decodable>(_ type: Value.Type, contentsOf url: URL) throws -> Value {
    let data = try Self.reporting { () throws(PlistError) in
      try PlistFile(url, to: "read").map(limits: readOptions.limits)
    }
    return try decode(type, from: data)
  }
}

/// Types that are decoded with a configuration.
extension PlistDecoder {
  /// Decodes a value from a document with a configuration.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  ///   - configuration: What the type needs to know.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration>(
    _ type: Value.Type, from data: Data, configuration: Value.DecodingConfiguration
  ) throws -> Value {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format, configuration: configuration)
  }

  /// Decodes a value from a document with a configuration that a type provides.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  ///   - configuration: The provider.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
    _ type: Value.Type, from data: Data, configuration: Provider.Type
  ) throws -> Value where Value.DecodingConfiguration == Provider.DecodingConfiguration {
    try decode(type, from: data, configuration: Provider.decodingConfiguration)
  }

  /// Decodes a value from a document with a configuration that a type provides, and tells the document's format.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  ///   - format: Where to put the format.
  ///   - configuration: The provider.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat, configuration: Provider.Type
  ) throws -> Value where Value.DecodingConfiguration == Provider.DecodingConfiguration {
    try decode(type, from: data, format: &format, configuration: Provider.decodingConfiguration)
  }

  /// Decodes a value from a document with a configuration, and tells the document's format.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  ///   - format: Where to put the format.
  ///   - configuration: What the type needs to know.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat, configuration: Value.DecodingConfiguration
  ) throws -> Value {
    try decode(data, format: &format) { try type.init(from: $0, configuration: configuration) }
  }

  /// Decodes a value from a property list with a configuration.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - propertyList: The property list.
  ///   - configuration: What the type needs to know.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration>(
    _ type: Value.Type, from propertyList: PropertyList, configuration: Value.DecodingConfiguration
  ) throws -> Value {
    try decode(DecodedDocument(DecodingTree(propertyList)), at: 0) {
      try type.init(from: $0, configuration: configuration)
    }
  }
}
