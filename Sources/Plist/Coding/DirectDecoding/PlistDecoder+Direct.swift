#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Functions that decode types that conform to ``PlistDecodable``.
///
/// If a type conforms to both `Decodable` and ``PlistDecodable``, the functions for `Decodable` types decode the type
/// directly. The overloads in this extension are disfavored, so that a call with a type that conforms to both
/// `Decodable` and ``PlistDecodable`` is not ambiguous.
///
/// The overloads for ``PlistDecodable`` types are not in the documentation, because DocC cannot distinguish an overload
/// from the function for `Decodable` types. Each overload behaves like the function for `Decodable` types with the same
/// parameters.
extension PlistDecoder {
  /// Decodes a ``PlistDecodable`` type from a document, and detects the format of the document.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The bytes of the whole document.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError` if the document is invalid or does not match the type, and any error that the type
  ///   throws.
  /// - Complexity: O(*n*) in the length of the document, if the type's initializer is linear.
  @inlinable @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, from data: Data) throws -> Value {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format)
  }

  /// Decodes a ``PlistDecodable`` type from a document, and reports the document's format.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The bytes of the whole document.
  ///   - format: A variable that receives the format of the document.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  @inlinable @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat
  ) throws -> Value {
    try decodeDirectly(type, from: data, format: &format) { try type.init(from: &$0) }
  }

  /// Decodes a document with the initializer `make`, which is specialized in the module that calls the decoder.
  ///
  /// Without the specialization, the compiled code copies each element of an outermost array. Copying the elements
  /// takes 6 % of the instructions for decoding records from XML.
  @usableFromInline
  func decodeDirectly<Value: PlistDecodable>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat, _ make: (inout PlistValueDecoder) throws -> Value
  ) throws -> Value {
    try decode(data, format: &format) { try $0.decodeDirectly(type, make) }
  }

  /// Decodes a ``PlistDecodable`` type from a property list.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - propertyList: The property list to decode.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``, with key paths but without line numbers.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, from propertyList: PropertyList) throws -> Value {
    try decode(DocumentIndex(ValueTree(propertyList))) { try $0.decodeDirectly(type) }
  }

  /// Decodes a ``PlistDecodable`` type from the value at a path of a document.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - document: The document that contains the value.
  ///   - path: The value's path in the document, by default the path of the root. The coding paths of errors begin at
  ///     the value at `path`.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``, and `DecodingError.valueNotFound` if the path has no
  ///   value.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(
    _ type: Value.Type, from document: PlistDocument, at path: PropertyListPath = PropertyListPath()
  ) throws -> Value {
    let node = try node(at: path, of: document, decoding: type)
    return try decode(document.index, at: node.index, path: path) { try $0.decodeDirectly(type) }
  }

  /// Decodes a ``PlistDecodable`` type from a node of a document.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - node: The node to decode. The coding paths and the key paths of errors begin at this node, but lines and
  ///     offsets refer to the whole document.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, from node: PlistNode) throws -> Value {
    if node.isMalformedReference { try reporting { () throws(PlistError) in _ = try node.read() } }
    return try decode(node.document, at: node.index) { try $0.decodeDirectly(type) }
  }

  /// Decodes a ``PlistDecodable`` type from a file; the file is mapped if ``readOptions`` requests mapping, and read
  /// otherwise.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - url: The file's URL.
  /// - Returns: The decoded value.
  /// - Throws: The same errors as ``decode(_:contentsOf:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, contentsOf url: URL) throws -> Value {
    var decoder = self
    let (data, path) = try reporting { () throws(PlistError) in
      let file = try PlistFile(url, to: "read")
      return (try file.read(&decoder.readOptions), file.path)
    }
    do { return try decoder.decode(type, from: data) } catch let error as DecodingError { throw error.naming(path) }
  }
}
