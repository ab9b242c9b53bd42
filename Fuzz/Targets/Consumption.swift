public import Foundation
import Plist

/// The ways to read a document that hostile ones are measured with.
public enum Consumption: String, CaseIterable, Sendable {
  /// As a value.
  case value
  /// As events, of whose text nothing is decoded.
  case events
  /// As events of chunks of 4 KiB.
  case chunks
  /// As an index, in which the first key or element and one that is not there are looked up.
  case index
  /// As an index, all of whose root is read.
  case node
  /// As several types, in turn.
  case decoding

  /// Reads `document`.
  ///
  /// - Returns: Whether it is accepted.
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
        // Each type fails at the first value that is another; a type that tries several for every value would make as
        // many errors as there are values.
        let decoder = PlistDecoder()
        if (try? decoder.decode([String].self, from: document)) != nil { return true }
        if (try? decoder.decode([Data].self, from: document)) != nil { return true }
        // No list of dictionaries: each hashes its keys, however long they are, and one key may be in all of them.
        if (try? decoder.decode([[Bool]].self, from: document)) != nil { return true }
        if (try? decoder.decode([String: Bool].self, from: document)) != nil { return true }
        _ = try decoder.decode(PropertyList.self, from: document)
      }
      return true
    } catch {
      // As a person who reads it would have it.
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
