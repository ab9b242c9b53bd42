#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes Swift types from property lists in any supported format.
///
/// ```swift
/// struct Server: Decodable { var host: String; var port: Int }
/// let servers = try PlistDecoder().decode([Server].self, from: data)
/// ```
///
/// It takes the place of Foundation's `PropertyListDecoder`: the same types, the same results. It is a structure, so
/// declare it with `var` to set its options. It reads from the bytes of the document and makes only the values that a
/// type asks for.
///
/// Errors are `DecodingError`s with the whole coding path. Printed, they say what was found, what was expected, and
/// where; ``Swift/DecodingError/plistError`` has the position in the document:
///
/// ```
/// line 120, column 9: expected an integer, found the string "http" (key path: servers.3.port)
/// ```
///
/// ## Conversions
///
/// An integer, or a real that is a whole number, decodes as any integer type that can represent it, and an integer also
/// as a floating-point type. There are no other conversions by default. ``nilDecodingStrategy`` says which values are
/// nil.
///
/// Binary property lists store single-precision numbers exactly, so a real in one decodes as a `Float` only if the
/// conversion is exact, as in Foundation. A real in text or in a ``PropertyList`` is rounded to the nearest `Float`;
/// one beyond the range of `Float` is an error, except in XML, where it becomes an infinity as in Foundation.
///
/// ## Sharing
///
/// Many tasks can use one decoder at once, and a new one for each call is as fast as a kept one, since all decodings
/// share their key layouts: the keys of a dictionary in the order of the document. The process keeps at most 256 of
/// these, each with at most 64 keys and 1,024 bytes, and nothing else of a document. The keys of a `Dictionary` are
/// data, and never kept.
public struct PlistDecoder: Sendable {
  /// What types find in the `userInfo` of their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  /// How to read: the limits, the policy for duplicate keys, and the access to files.
  public var readOptions: PlistReadOptions
  /// How the keys of a document become those of a type.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
  /// Which values are nil.
  public var nilDecodingStrategy = NilDecodingStrategy.foundation
  /// Whether strings are converted to numbers, booleans, dates and data.
  public var textDecodingStrategy = TextDecodingStrategy.strict
  /// What happens to keys of the document that no property has read.
  public var unreadKeyStrategy = UnreadKeyStrategy.ignore
  /// Whether the error about a missing key also lists other mistakes in the keys of its dictionary.
  public var keyErrorStrategy = KeyErrorStrategy.stopAtFirst

  /// Creates a decoder.
  ///
  /// - Parameter options: How to read, such as the limits and the access to files.
  public init(options: PlistReadOptions = PlistReadOptions()) { readOptions = options }

  /// Decodes a value from a document, whose format is detected.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError` if the document is invalid or does not match the type, and any error that the type
  ///   throws.
  /// - Complexity: O(*n*) in the length of the document, if the type's `init(from:)` is linear.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format)
  }

  /// Decodes a value from a document, as ``decode(_:from:)-(_,Data)``, and sets `format` to its format.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat
  ) throws -> Value {
    try decode(data, format: &format) { try $0.decode(type) }
  }

  /// Decodes a value from a property list, as ``decode(_:from:)-(_,Data)``.
  ///
  /// Errors have key paths but no lines.
  public func decode<Value: Decodable>(_ type: Value.Type, from propertyList: PropertyList) throws -> Value {
    try decode(DocumentIndex(ValueTree(propertyList))) { try $0.decode(type) }
  }

  /// Decodes the value at a path of a document.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - document: The document that contains the value.
  ///   - path: The value's path, the root by default. The coding paths of errors begin at the value.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``, and `DecodingError.valueNotFound` if there is no value
  ///   at `path`, or `DecodingError.dataCorrupted` if a malformed object of a binary document might contain it.
  /// - Complexity: O(*n*) in the size of the value, and of the containers on its path.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from document: PlistDocument, at path: PropertyListPath = PropertyListPath()
  ) throws -> Value {
    let node = try node(at: path, of: document, decoding: type)
    return try decode(document.index, at: node.index, path: path) { try $0.decode(type) }
  }

  /// Decodes the value of a node.
  ///
  /// ```swift
  /// let document = try PlistDocument(contentsOf: url)
  /// let nodes = document.root["servers"]?.array?.filter { $0["isActive"]?.bool == true } ?? []
  /// let servers = try nodes.map { try decoder.decode(Server.self, from: $0) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - node: The node to decode. The coding paths and key paths of errors begin here; lines and offsets are those of
  ///     the document.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  /// - Complexity: O(*n*) in the size of the value.
  public func decode<Value: Decodable>(_ type: Value.Type, from node: PlistNode) throws -> Value {
    // Without an object, the value would count as missing; `propertyList()` throws what is wrong with the reference.
    if node.isMalformedReference { try reporting { () throws(PlistError) in _ = try node.propertyList() } }
    return try decode(node.document, at: node.index) { try $0.decode(type) }
  }

  /// Decodes a value from a file, which is read or mapped according to ``readOptions``.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - url: The file's URL.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``, with the path of the file. If it cannot be read, the
  ///   same `CocoaError` as from Foundation, such as `fileReadNoSuchFile`; its underlying error is a ``PlistError``
  ///   with the ``PlistError/systemErrorNumber`` and the ``PlistError/file``.
  public func decode<Value: Decodable>(_ type: Value.Type, contentsOf url: URL) throws -> Value {
    var decoder = self
    let (data, path) = try reporting { () throws(PlistError) in
      let file = try PlistFile(url, to: "read")
      return (try file.read(&decoder.readOptions), file.path)
    }
    do { return try decoder.decode(type, from: data) } catch let error as DecodingError { throw error.naming(path) }
  }
}

extension PlistDecoder {
  /// Decodes a value with a decoding configuration.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  ///   - configuration: What is passed to the type.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration>(
    _ type: Value.Type, from data: Data, configuration: Value.DecodingConfiguration
  ) throws -> Value {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format, configuration: configuration)
  }

  /// Decodes a value with the configuration that a type provides.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  ///   - configuration: The type that provides the configuration.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
    _ type: Value.Type, from data: Data, configuration: Provider.Type
  ) throws -> Value where Value.DecodingConfiguration == Provider.DecodingConfiguration {
    try decode(type, from: data, configuration: Provider.decodingConfiguration)
  }

  /// Decodes a value with the configuration that a type provides, and sets `format` to the format of the document.
  public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat, configuration: Provider.Type
  ) throws -> Value where Value.DecodingConfiguration == Provider.DecodingConfiguration {
    try decode(type, from: data, format: &format, configuration: Provider.decodingConfiguration)
  }

  /// Decodes a value with a decoding configuration, and sets `format` to the format of the document.
  public func decode<Value: DecodableWithConfiguration>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat, configuration: Value.DecodingConfiguration
  ) throws -> Value {
    try decode(data, format: &format) { try type.init(from: ValueDecoder($0), configuration: configuration) }
  }

  /// Decodes a value from a property list with a decoding configuration.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - propertyList: The property list to decode.
  ///   - configuration: What is passed to the type.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration>(
    _ type: Value.Type, from propertyList: PropertyList, configuration: Value.DecodingConfiguration
  ) throws -> Value {
    try decode(DocumentIndex(ValueTree(propertyList))) {
      try type.init(from: ValueDecoder($0), configuration: configuration)
    }
  }
}
