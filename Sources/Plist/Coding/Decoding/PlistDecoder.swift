#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A decoder of Swift types from property lists in any supported format.
///
/// ```swift
/// struct Server: Decodable { var host: String; var port: Int }
/// let servers = try PlistDecoder().decode([Server].self, from: data)
/// ```
///
/// The decoder accepts the same types as Foundation's `PropertyListDecoder`, with the same results. To migrate from
/// Foundation, replace the name `PropertyListDecoder` with `PlistDecoder`. A ``PlistDecoder`` is a structure, so use
/// `var` to declare a decoder if you set its options. The decoder reads directly from the bytes of the document, and
/// creates only the values that a type requests.
///
/// The decoder throws `DecodingError`s with the whole coding path. A printed error states what was found, what was
/// expected, and where. The property ``Swift/DecodingError/plistError`` contains the position of the error in the
/// document:
///
/// ```
/// line 120, column 9: expected an integer, found the string "http" (key path: servers.3.port)
/// ```
///
/// ## Conversions
///
/// An integer, or a real that is a whole number, can be decoded as any integer type that can represent the number. An
/// integer can also be decoded as a floating-point type. By default, the decoder makes no conversions except between
/// integers and reals. The ``nilDecodingStrategy`` determines which values are nil.
///
/// Binary property lists store single-precision numbers exactly. As in Foundation, a real in a binary document is
/// decoded as a `Float` only if the conversion is exact. A real in text or in a ``PropertyList`` is rounded to the
/// nearest `Float`; one beyond the range of `Float` is an error, except in XML, where it becomes an infinity as in
/// Foundation.
///
/// Many tasks can use one decoder at the same time. A decoder that is created for each call is as fast as a reused
/// decoder, because all decodings share key layouts. A key layout is the list of the keys of a dictionary, in the order
/// of the document. The process keeps at most 256 key layouts. A stored key layout has at most 64 keys, whose total
/// size is at most 1,024 bytes. A key layout contains no part of a document except keys. The keys of a `Dictionary` are
/// data, and are never kept in a key layout.
public struct PlistDecoder: Sendable {
  /// The values that decoded types can read from the property `userInfo` of their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  /// The options for reading: the limits for documents, the policy for duplicate keys, and the access to files.
  public var readOptions: PlistReadOptions
  /// The strategy to convert the keys of a document to the keys of a type.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
  /// The strategy that determines which values are decoded as nil.
  public var nilDecodingStrategy = NilDecodingStrategy.asFoundation
  /// The strategy that determines whether strings are converted to numbers, booleans, dates and data.
  public var textDecodingStrategy = TextDecodingStrategy.strict
  /// The policy for keys of the document that no property has read.
  public var unreadKeys = UnreadKeys.ignore
  /// The policy that determines whether the error about a missing key also describes other mistakes in the dictionary's
  /// keys.
  public var keyMistakes = KeyMistakes.first

  /// Creates a decoder.
  ///
  /// - Parameter options: The options for reading, such as the limits for documents and the access to files.
  public init(options: PlistReadOptions = PlistReadOptions()) { readOptions = options }

  /// Decodes a value from a document, and detects the format of the document.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The bytes of the whole document.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError` if the document is invalid or does not match the type, and any error that the type
  ///   throws.
  /// - Complexity: O(*n*) in the length of the document, if the type's `init(from:)` is linear.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format)
  }

  /// Decodes a value from a document, and reports the document's format.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The bytes of the whole document.
  ///   - format: A variable that receives the format of the document.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat
  ) throws -> Value {
    try decode(data, format: &format) { try $0.decode(type) }
  }

  /// Decodes a value from a property list.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - propertyList: The property list to decode.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``, with key paths but without line numbers.
  public func decode<Value: Decodable>(_ type: Value.Type, from propertyList: PropertyList) throws -> Value {
    try decode(DocumentIndex(ValueTree(propertyList))) { try $0.decode(type) }
  }

  /// Decodes the value at a path of a document.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - document: The document that contains the value.
  ///   - path: The value's path in the document, by default the path of the root. The coding paths of errors begin at
  ///     the value at `path`.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``, and `DecodingError.valueNotFound` if the path has no
  ///   value. If a malformed object of a binary document might contain the value at `path`, the error is
  ///   `DecodingError.dataCorrupted`.
  /// - Complexity: O(*n*) in the size of the value, and of the containers on its path.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from document: PlistDocument, at path: PropertyListPath = PropertyListPath()
  ) throws -> Value {
    let node = try node(at: path, of: document, decoding: type)
    return try decode(document.index, at: node.index, path: path) { try $0.decode(type) }
  }

  /// Decodes the value of a node of a document.
  ///
  /// ```swift
  /// let document = try PlistDocument(contentsOf: url)
  /// let nodes = document.root["servers"]?.array?.filter { $0["isActive"]?.bool == true } ?? []
  /// let servers = try nodes.map { try decoder.decode(Server.self, from: $0) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - node: The node to decode. The coding paths and the key paths of errors begin at this node, but lines and
  ///     offsets refer to the whole document.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  /// - Complexity: O(*n*) in the size of the value.
  public func decode<Value: Decodable>(_ type: Value.Type, from node: PlistNode) throws -> Value {
    // A node with a malformed reference has no object, so the decoder would treat the value as missing. `read()` throws
    // the error for the malformed reference.
    if node.isMalformedReference { try reporting { () throws(PlistError) in _ = try node.read() } }
    return try decode(node.document, at: node.index) { try $0.decode(type) }
  }

  /// Decodes a value from a file, which is mapped or read into memory as ``readOptions`` specifies.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - url: The file's URL.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``, with the path of the file. If the file cannot be read,
  ///   the decoder throws the same `CocoaError` as Foundation, such as `fileReadNoSuchFile`. The underlying error of
  ///   the `CocoaError` is a ``PlistError`` with the ``PlistError/systemErrorNumber`` and the ``PlistError/file``.
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
  /// Decodes a value from a document with a decoding configuration.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The bytes of the whole document.
  ///   - configuration: The decoding configuration that is passed to the type.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration>(
    _ type: Value.Type, from data: Data, configuration: Value.DecodingConfiguration
  ) throws -> Value {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format, configuration: configuration)
  }

  /// Decodes a value from a document with a decoding configuration that a type provides.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The bytes of the whole document.
  ///   - configuration: The type that provides the decoding configuration.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
    _ type: Value.Type, from data: Data, configuration: Provider.Type
  ) throws -> Value where Value.DecodingConfiguration == Provider.DecodingConfiguration {
    try decode(type, from: data, configuration: Provider.decodingConfiguration)
  }

  /// Decodes a value with a decoding configuration that a type provides, and reports the document's format.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The bytes of the whole document.
  ///   - format: A variable that receives the format of the document.
  ///   - configuration: The type that provides the decoding configuration.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat, configuration: Provider.Type
  ) throws -> Value where Value.DecodingConfiguration == Provider.DecodingConfiguration {
    try decode(type, from: data, format: &format, configuration: Provider.decodingConfiguration)
  }

  /// Decodes a value from a document with a decoding configuration, and reports the document's format.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The bytes of the whole document.
  ///   - format: A variable that receives the format of the document.
  ///   - configuration: The decoding configuration that is passed to the type.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
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
  ///   - configuration: The decoding configuration that is passed to the type.
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
