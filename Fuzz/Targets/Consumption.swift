public import Foundation
import Plist

/// A way to read a document, for which the time and the memory are measured with hostile documents.
public enum Consumption: String, CaseIterable, Sendable {
  /// Reads the document as a value.
  case value
  /// Reads the document as events, without decoding their text.
  case events
  /// Reads the document as events, in chunks of 4 KiB.
  case chunks
  /// Makes an index of a document, and looks up the first key or element of the root and a missing key or element.
  case index
  /// Makes an index of a document, and reads the whole root value with the index.
  case node
  /// Decodes a document as several `Codable` types in turn.
  case decoding

  /// Reads `document` in one of the ways of `Consumption`.
  ///
  /// - Returns: A Boolean value that indicates whether reading the document succeeds.
  public func read(_ document: Data) -> Bool {
    do {
      switch self {
      case .value: _ = try PropertyList(parsing: document)
      case .events:
        var reader = try PlistReader(parsing: document)
        while try reader.next() != nil {}
      case .chunks: try readChunks(of: document)
      case .index:
        let root = try PlistDocument(parsing: document).root
        _ = (root["key7"]?.bool, root["missing"]?.bool, root[0]?.kind, root[root.count - 1]?.kind)
      case .node: _ = try PlistDocument(parsing: document).root.read()
      case .decoding:
        let decoder = PlistDecoder()
        if (try? decoder.decode([String].self, from: document)) != nil { return true }
        if (try? decoder.decode([Data].self, from: document)) != nil { return true }
        if (try? decoder.decode([[Bool]].self, from: document)) != nil { return true }
        if (try? decoder.decode([String: Bool].self, from: document)) != nil { return true }
        _ = try decoder.decode(PropertyList.self, from: document)
      }
      return true
    } catch {
      return String(describing: error).isEmpty
    }
  }

  private func readChunks(of document: Data) throws {
    var reader = PlistStreamReader()
    for start in stride(from: 0, to: document.count, by: 4096) {
      reader.feed(document[start..<min(document.count, start + 4096)])
      while try reader.next() != nil {}
    }
    reader.finish()
    while try reader.next() != nil {}
  }
}
