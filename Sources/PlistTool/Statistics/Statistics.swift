#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Statistics about a document, collected from its events in bounded memory.
struct Statistics {
  private(set) var counts: [PropertyList.Kind: Int] = [:]
  private(set) var depth = 0
  private(set) var keyCount = 0
  /// The number of UTF-8 bytes in keys and strings.
  private(set) var textBytes = 0
  private(set) var dataBytes = 0
  /// The containers with the most values, largest first, not including the root.
  private(set) var subtrees: [Subtree] = []

  struct Subtree {
    let path: PropertyListPath
    let kind: PropertyList.Kind
    /// How many values the container has at all depths.
    let values: Int
    /// How many bytes of text and data the container has.
    let bytes: Int
  }

  private let subtreeLimit: Int
  private var open: [Container] = []

  private struct Container {
    let kind: PropertyList.Kind
    let component: Component
    var position = 0
    var key: PlistText?
    var values = 0
    var bytes = 0
  }

  private enum Component {
    case root
    case key(PlistText)
    case position(Int)

    var text: String? {
      switch self {
      case .root: nil
      case .key(let key): String(key)
      case .position(let position): String(position)
      }
    }
  }

  /// Creates statistics that keep at most `subtreeLimit` containers in `subtrees`.
  init(subtreeLimit: Int) { self.subtreeLimit = subtreeLimit }

  var valueCount: Int { counts.values.reduce(0, +) }

  mutating func count(_ reader: inout PlistEventReader) throws(PlistError) {
    while let event = try reader.next() { take(event) }
  }

  private mutating func take(_ event: PlistEvent) {
    switch event {
    case .beginDictionary: begin(.dictionary)
    case .beginArray: begin(.array)
    case .endDictionary, .endArray: end()
    case .key(let key):
      keyCount += 1
      textBytes += count(key)
      if let last = open.indices.last { open[last].key = key }
    case .string(let text):
      let bytes = count(text)
      textBytes += bytes
      value(.string, bytes: bytes)
    case .data(let data):
      let bytes = Data(data).count
      dataBytes += bytes
      value(.data, bytes: bytes)
    case .integer: value(.integer)
    case .real: value(.real)
    case .boolean: value(.boolean)
    case .date: value(.date)
    case .uid: value(.uid)
    case .null: value(.null)
    }
  }

  private func count(_ text: PlistText) -> Int { String(text).utf8.count }

  private mutating func value(_ kind: PropertyList.Kind, bytes: Int = 0) {
    counts[kind, default: 0] += 1
    guard let last = open.indices.last else { return }
    open[last].values += 1
    open[last].bytes += bytes
    open[last].position += 1
  }

  private mutating func begin(_ kind: PropertyList.Kind) {
    counts[kind, default: 0] += 1
    var component = Component.root
    if let last = open.last {
      component = last.kind == .array ? .position(last.position) : last.key.map(Component.key) ?? .root
    }
    open.append(Container(kind: kind, component: component))
    depth = max(depth, open.count)
  }

  private mutating func end() {
    let container = open.removeLast()
    guard let last = open.indices.last else { return }
    if container.values > 0, subtrees.count < subtreeLimit || container.values > subtrees.last?.values ?? 0 {
      keep(container)
    }
    open[last].values += container.values + 1
    open[last].bytes += container.bytes
    open[last].position += 1
  }

  private mutating func keep(_ container: Container) {
    let components = (open.map(\.component) + [container.component]).compactMap(\.text)
    let subtree = Subtree(
      path: PropertyListPath(components: components), kind: container.kind, values: container.values,
      bytes: container.bytes)
    let index = subtrees.firstIndex { $0.values < subtree.values } ?? subtrees.count
    subtrees.insert(subtree, at: index)
    if subtrees.count > subtreeLimit { subtrees.removeLast() }
  }
}
#endif
