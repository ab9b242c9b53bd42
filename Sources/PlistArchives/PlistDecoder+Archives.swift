public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PlistDecoder {
  /// Decodes the root object of a keyed archive.
  ///
  /// ```swift
  /// struct Note: Decodable { var title: String; var tags: [String] }
  /// let note = try PlistDecoder().decode(Note.self, fromArchive: data)
  /// ```
  ///
  /// Structs and classes decode from archived dictionaries, and from the fields of an object of an unknown class.
  /// Archived URLs and UUIDs decode as `URL` and `UUID`.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The bytes of the archive.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError`; if the archive is invalid, its `plistError` has the position.
  public func decode<Value: Decodable>(_ type: Value.Type, fromArchive data: Data) throws -> Value {
    let archive = try asDecodingError { () throws(PlistError) in try KeyedArchive(parsing: data, options: readOptions) }
    return try decode(type, from: archive.root)
  }

  /// Decodes an object of a keyed archive.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - object: The archived object.
  /// - Returns: The decoded value.
  /// - Throws: `DecodingError`; if the archive is invalid, its `plistError` has the position.
  public func decode<Value: Decodable>(_ type: Value.Type, from object: KeyedArchive.Object) throws -> Value {
    let list = try asDecodingError { () throws(PlistError) in
      try object.propertyList(readOptions.limits, ArchiveResolver.Form(hasCodableURLs: true))
    }
    return try decode(type, from: list)
  }

  private func asDecodingError<Value>(_ body: () throws(PlistError) -> Value) throws(DecodingError) -> Value {
    do throws(PlistError) { return try body() } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: error.description, underlyingError: error))
    }
  }
}
