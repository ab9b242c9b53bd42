#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistFormat {
  /// Whether an encoder writes values as they are encoded; otherwise it makes a property list of them first.
  @inline(__always)
  var isWrittenAtOnce: Bool { self == .binary || self == .xml }
}

extension PlistEncoder {
  /// The document of a property list that `value` has been encoded as.
  ///
  /// What the format has no form for is told as whatever else cannot be encoded: with its coding path.
  func document(of value: Any, _ list: PropertyList) throws -> Data {
    do { return try list.data(format: outputFormat, options: writeOptions) } catch let error as PlistError {
      let path = error.path ?? PropertyListPath()
      throw EncodingError.invalidValue(
        list[path] ?? value,
        EncodingError.Context(
          codingPath: Self.codingPath(path, in: list), debugDescription: error.message, underlyingError: error))
    }
  }

  private static func codingPath(_ path: PropertyListPath, in list: PropertyList) -> [any CodingKey] {
    var keys: [PlistCodingKey] = []
    var value: PropertyList? = list
    for component in path.components {
      let index = value?.kind == .array ? PropertyListPath.elementIndex(component) : nil
      keys.append(index.map(PlistCodingKey.index) ?? .name(component))
      value = value?.child(component)
    }
    return keys
  }
}
