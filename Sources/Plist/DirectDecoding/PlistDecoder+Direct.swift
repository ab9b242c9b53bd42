#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Functions for types that conform to ``PlistDecodable``.
///
/// The functions for `Decodable` types also decode a type directly if the type conforms to both protocols. The
/// overloads in this extension are disfavored, so that a call for such a type is not ambiguous.
///
/// DocC cannot distinguish an overload from the function for `Decodable` types with the same parameters. The overloads
/// are therefore not in the documentation. Each overload behaves like the function with the same parameters.
extension PlistDecoder {
  /// Decodes a ``PlistDecodable`` type from a document whose format is detected.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  /// - Returns: The value.
  /// - Throws: `DecodingError` if the document is invalid or does not match the type, and any error of the type.
  /// - Complexity: O(*n*) in the length of the document, if the type's initializer is linear.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, from data: Data) throws -> Value {
    var format = PlistFormat.binary
    return try decode(type, from: data, format: &format)
  }

  /// Decodes a ``PlistDecodable`` type from a document, and reports the document's format.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The whole document.
  ///   - format: A variable that receives the format.
  /// - Returns: The value.
  /// - Throws: The errors of ``decode(_:from:)-(_,Data)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(
    _ type: Value.Type, from data: Data, format: inout PlistFormat
  ) throws -> Value {
    try decode(data, format: &format) { try $0.decodeDirectly(type) }
  }

  /// Decodes a ``PlistDecodable`` type from a property list.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - propertyList: The property list.
  /// - Returns: The value.
  /// - Throws: The errors of ``decode(_:from:)-(_,Data)``, with paths but without lines.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, from propertyList: PropertyList) throws -> Value {
    try decode(DecodingSource(DecodingTree(propertyList)), at: 0) { try $0.decodeDirectly(type) }
  }

  /// Decodes a ``PlistDecodable`` type from the value at a path of a document.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - document: The document.
  ///   - path: The value's path in the document, by default the path of the root. Coding paths begin at this value.
  /// - Returns: The value.
  /// - Throws: The errors of ``decode(_:from:)-(_,Data)``, and `DecodingError.valueNotFound` if the path has no value.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(
    _ type: Value.Type, from document: PlistDocument, at path: PropertyListPath = PropertyListPath()
  ) throws -> Value {
    guard let node = document.root[path] else { throw DecodingError.valueNotFound(type, Self.nothing(at: path)) }
    return try decode(DecodingSource(document, pathPrefix: path), at: node.index) { try $0.decodeDirectly(type) }
  }

  /// Decodes a ``PlistDecodable`` type from a node of a document.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - node: The node. Coding paths, and the paths of errors, begin at this node; lines and offsets refer to the
  ///     whole document.
  /// - Returns: The value.
  /// - Throws: The errors of ``decode(_:from:)-(_,Data)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, from node: PlistNode) throws -> Value {
    if node.isMalformedReference { try reporting { () throws(PlistError) in _ = try node.read() } }
    return try decode(DecodingSource(PlistDocument(node.storage)), at: node.index) { try $0.decodeDirectly(type) }
  }

  /// Decodes a ``PlistDecodable`` type from a file; the file is mapped if ``readOptions`` requests mapping, and read
  /// otherwise.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - url: The file's URL.
  /// - Returns: The value.
  /// - Throws: The errors of ``decode(_:contentsOf:)``.
  @_disfavoredOverload @_documentation(visibility: internal)
  public func decode<Value: PlistDecodable>(_ type: Value.Type, contentsOf url: URL) throws -> Value {
    let (data, path) = try reporting { () throws(PlistError) in
      let file = try PlistFile(url, to: "read")
      return (try file.read(readOptions), file.path)
    }
    do { return try decode(type, from: data) } catch let error as DecodingError { throw error.naming(path) }
  }
}
