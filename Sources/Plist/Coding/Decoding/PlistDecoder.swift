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
/// It replaces Foundation's `PropertyListDecoder`: it decodes the same types with the same results. It is a structure,
/// so declare it with `var` to set its options. It reads directly from the document's bytes and creates only the values
/// that a type requests.
///
/// Errors are `DecodingError`s with the whole coding path, and ``Swift/DecodingError/plistError`` has the position in
/// the document. When printed, they say what was expected, what was found, and where:
///
/// ```
/// line 120, column 9: expected an integer, found the string "http" (key path: servers.3.port)
/// ```
///
/// ## Conversions
///
/// An integer, or a real that is a whole number, decodes as any integer type that can represent it, and an integer also
/// decodes as a floating-point type. There are no other conversions by default. ``nilDecodingStrategy`` determines
/// which values decode as nil.
///
/// Binary property lists store single-precision numbers exactly, so a real in one decodes as a `Float` only if the
/// conversion is exact, as in Foundation. A real in text or in a ``PropertyList`` is rounded to the nearest `Float`. A
/// real beyond the range of `Float` is an error, except in XML, where it becomes infinity, as in Foundation.
///
/// ## Sharing
///
/// Many tasks can use one decoder concurrently. Creating a decoder for each call is as fast as reusing one, because
/// decoders share key layouts, which record a dictionary's keys in document order. The process keeps at most 256
/// layouts, each with at most 64 keys and 1,024 bytes, and nothing else from a document. The keys of a `Dictionary` are
/// data and are never kept.
public struct PlistDecoder: Sendable {
  /// Contextual information for types, available as the `userInfo` of their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  /// How to read documents: the limits, the policy for duplicate keys, and how files are accessed.
  public var readOptions: PlistReadOptions
  /// How a document's keys are converted to the coding keys of a type.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
  /// Which values are decoded as nil.
  public var nilDecodingStrategy = NilDecodingStrategy.foundation
  /// Whether strings are converted to numbers, booleans, dates and data.
  public var textDecodingStrategy = TextDecodingStrategy.strict
  /// What happens to keys in the document that no property has read.
  public var unreadKeyStrategy = UnreadKeyStrategy.ignore
  /// Whether the error about a missing key also lists other mistakes in the keys of its dictionary.
  public var keyErrorStrategy = KeyErrorStrategy.stopAtFirst

  /// Creates a decoder.
  ///
  /// - Parameter options: How to read documents, such as the limits and how files are accessed.
  public init(options: PlistReadOptions = PlistReadOptions()) { readOptions = options }

  /// Decodes a value from a document, detecting its format unless ``readOptions`` specifies it.
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

  /// Decodes a value from a document like ``decode(_:from:)-(_,Data)``, and sets `format` to the document's format.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat
  ) throws -> Value {
    try decode(data, format: &format) { try $0.decode(type) }
  }

  /// Decodes a value from a property list, like ``decode(_:from:)-(_,Data)``.
  ///
  /// Errors have key paths but no line numbers.
  public func decode<Value: Decodable>(_ type: Value.Type, from propertyList: PropertyList) throws -> Value {
    try decode(DocumentIndex(ValueTree(propertyList))) { try $0.decode(type) }
  }

  /// Decodes the value at a path in a document.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - document: The document that contains the value.
  ///   - path: The value's path, by default that of the root. Coding paths in errors begin at the value.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``, as well as `DecodingError.valueNotFound` if there is no
  ///   value at `path`, or `DecodingError.dataCorrupted` if a malformed object in a binary document might contain it.
  /// - Complexity: O(*n*) in the size of the value and of the containers on its path.
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
  ///   - node: The node to decode. Coding paths and key paths in errors begin at this node, but line numbers and
  ///     offsets are those of the document.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  /// - Complexity: O(*n*) in the size of the value.
  public func decode<Value: Decodable>(_ type: Value.Type, from node: PlistNode) throws -> Value {
    // Decoding would report the value as missing, so let `propertyList()` throw the reference's actual error.
    if node.isMalformedReference { try reporting { () throws(PlistError) in _ = try node.propertyList() } }
    return try decode(node.document, at: node.index) { try $0.decode(type) }
  }

  /// Decodes a value from a file, which is read or mapped according to ``readOptions``.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - url: The file's URL.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``, with the path of the file. If the file cannot be read,
  ///   the same `CocoaError` as Foundation throws, such as `fileReadNoSuchFile`, with an underlying ``PlistError`` that
  ///   has a ``PlistError/systemErrorNumber`` and a ``PlistError/file``.
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
  ///   - configuration: The configuration to pass to the type.
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

  /// Decodes a value with the configuration that a type provides, and sets `format` to the document's format.
  public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat, configuration: Provider.Type
  ) throws -> Value where Value.DecodingConfiguration == Provider.DecodingConfiguration {
    try decode(type, from: data, format: &format, configuration: Provider.decodingConfiguration)
  }

  /// Decodes a value with a decoding configuration, and sets `format` to the document's format.
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
  ///   - configuration: The configuration to pass to the type.
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
