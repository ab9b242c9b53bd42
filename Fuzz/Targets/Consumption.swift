public import Foundation
import Plist

/// The ways to read a document; for hostile documents, the time and the memory of each way are measured.
public enum Consumption: String, CaseIterable, Sendable {
  /// Reads the document as a value.
  case value
  /// Reads the document as events, without decoding their text.
  case events
  /// Reads the document as events, in chunks of 4 KiB.
  case chunks
  /// Makes an index, and looks up the first key or element and a missing one.
  case index
  /// Makes an index, and reads the whole root from it.
  case node
  /// Decodes several types in turn.
  case decoding

  /// Reads `document`.
  ///
  /// - Returns: Whether the document is accepted.
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
