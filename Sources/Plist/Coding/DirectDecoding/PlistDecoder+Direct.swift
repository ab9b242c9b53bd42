#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Counterparts, for ``PlistDecodable`` types, of the functions that take `Decodable` types.
///
/// They are disfavored overloads, so a call with a type that conforms to both protocols is not ambiguous; the function
/// for `Decodable` types then decodes it directly. They are hidden from the documentation because DocC cannot
/// distinguish them from the `Decodable` functions, which have the same parameters and the same effect.
extension PlistDecoder {
  /// Decodes a ``PlistDecodable`` type from a document, like ``decode(_:from:)-(_,Data)``.
  @inlinable @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, from data: Data) throws -> Value {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format)
  }

  /// Decodes a ``PlistDecodable`` type from a document, and sets `format` to the document's format.
  @inlinable @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat
  ) throws -> Value {
    try decodeDirectly(type, from: data, format: &format) { try type.init(from: &$0) }
  }

  /// Decodes a document with `make`, which is specialized in the calling module.
  ///
  /// Without that specialization, each element of a root array would be copied, which takes 6 % of the instructions for
  /// decoding records from XML.
  @usableFromInline
  func decodeDirectly<Value: PlistDecodable>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat, _ make: (inout PlistValueDecoder) throws -> Value
  ) throws -> Value {
    try decode(data, format: &format) { try $0.decodeDirectly(type, make) }
  }

  /// Decodes a ``PlistDecodable`` type from a property list; errors have key paths but no line numbers.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, from propertyList: PropertyList) throws -> Value {
    try decode(DocumentIndex(ValueTree(propertyList))) { try $0.decodeDirectly(type) }
  }

  /// Decodes a ``PlistDecodable`` type from the value at a path in a document.
  ///
  /// - Throws: The same errors as ``decode(_:from:)-(_,Data)``, and `DecodingError.valueNotFound` if there is no value
  ///   at `path`.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(
    _ type: Value.Type, from document: PlistDocument, at path: PropertyListPath = PropertyListPath()
  ) throws -> Value {
    let node = try node(at: path, of: document, decoding: type)
    return try decode(document.index, at: node.index, path: path) { try $0.decodeDirectly(type) }
  }

  /// Decodes a ``PlistDecodable`` type from a node; the paths in errors begin there.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, from node: PlistNode) throws -> Value {
    if node.isMalformedReference { try reporting { () throws(PlistError) in _ = try node.propertyList() } }
    return try decode(node.document, at: node.index) { try $0.decodeDirectly(type) }
  }

  /// Decodes a ``PlistDecodable`` type from a file, like ``decode(_:contentsOf:)``.
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
