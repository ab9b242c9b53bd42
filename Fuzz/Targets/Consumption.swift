public import Foundation
import Plist
import PlistArchives
import PlistSchema

/// A way to read hostile documents, whose time and memory `check-resources.py` measures.
public enum Consumption: String, CaseIterable, Sendable {
  /// Reads the document as a value.
  case value
  /// Reads the document as events, without decoding their text.
  case events
  /// Reads the document as events, in chunks of 4 KiB.
  case chunks
  /// Builds an index, and looks up a few keys and elements of the root, one of which is missing.
  case index
  /// Builds an index and uses it to read the whole root.
  case node
  /// Decodes several `Codable` types in turn.
  case decoding
  /// Reads a keyed archive as a value, with and without the names of classes.
  case archive
  /// Reads the objects of a keyed archive one by one, with their elements, pairs and fields.
  case objects
  /// Reads the document as a preference manifest, and validates it against itself and a second manifest.
  case schema

  /// Reads `document` this way and returns whether that succeeds.
  public func read(_ document: Data) -> Bool {
    do {
      switch self {
      case .value: _ = try PropertyList(parsing: document)
      case .events:
        var reader = try PlistEventReader(parsing: document)
        while try reader.next() != nil {}
      case .chunks: try readChunks(of: document)
      case .index:
        let root = try PlistDocument(parsing: document).root
        _ = (root["key7"]?.bool, root["missing"]?.bool, root[0]?.kind, root[root.count - 1]?.kind)
        _ = (root.dictionary?.keys.count, root.dictionary?.values.last?.kind)
      case .node: _ = try PlistDocument(parsing: document).root.propertyList()
      case .decoding:
        let decoder = PlistDecoder()
        if (try? decoder.decode([String].self, from: document)) != nil { return true }
        if (try? decoder.decode([Data].self, from: document)) != nil { return true }
        if (try? decoder.decode([[Bool]].self, from: document)) != nil { return true }
        if (try? decoder.decode([String: Bool].self, from: document)) != nil { return true }
        _ = try decoder.decode(PropertyList.self, from: document)
      case .archive:
        let archive = try KeyedArchive(parsing: document)
        _ = try archive.propertyList(keepsClassNames: true)
        _ = try archive.propertyList()
      case .objects: visitObjects(of: try KeyedArchive(parsing: document))
      case .schema: try validate(PlistDocument(parsing: document))
      }
      return true
    } catch {
      return String(describing: error).isEmpty
    }
  }

  /// Visits each archived object once per reference, with an explicit stack instead of recursion.
  ///
  /// The number of objects and the size of their texts are limited, because each accessor copies its text.
  private func visitObjects(of archive: KeyedArchive) {
    var pending = Array(archive.top.values)
    var objects = 10_000
    var bytes = 100_000_000
    while let object = pending.popLast(), objects > 0, bytes > 0 {
      bytes -= object.string?.utf8.count ?? object.url?.absoluteString.utf8.count ?? object.data?.count ?? 0
      _ = (object.className, object.date, object.uuid, object["key"]?.isNull, object[0]?.isNull)
      let children = (object.elements ?? []) + (object.pairs ?? []).map(\.value) + object.fields.map(\.value)
      objects -= 1 + children.count
      pending += children.prefix(max(0, objects))
    }
  }

  private func validate(_ document: PlistDocument) throws {
    let manifest = try PlistDocument(parsing: Data(Schemas.manifest.utf8))
    _ = try PropertyListSchema(manifest: manifest).findings(in: document, reportsUnknownKeys: true)
    _ = try PropertyListSchema(manifest: document).findings(in: document, reportsUnknownKeys: true)
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
