#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values in a flat list, for decoding a ``PropertyList`` or a sequence of events.
///
/// A container's entry is followed by the entries of all its contents; in a dictionary, each value follows its key.
struct ValueTree {
  struct Entry {
    /// A scalar or container, or the text of a key.
    ///
    /// In a tree made from events, containers are empty.
    var value: PropertyList
    /// The number of values in a container, excluding nested contents.
    var count = 0
    /// The number of entries for the contents, including nested ones.
    var descendants = 0
    var position: PlistPosition?
  }

  private(set) var entries: [Entry] = []
  /// Whether the entry of a container holds the complete value.
  private let hasWholeValues: Bool
  private var open: [Int] = []

  init() { hasWholeValues = false }

  /// Flattens a value without recursion, so that a deeply nested one doesn't exhaust the stack.
  init(_ root: PropertyList) {
    hasWholeValues = true
    var stack: [Container] = []
    var value = root
    while true {
      let entry = entries.count
      entries.append(Entry(value: value))
      switch value {
      case .array(let elements): stack.append(Container(entry: entry, elements: elements))
      case .dictionary(let dictionary):
        stack.append(Container(entry: entry, elements: dictionary.valueStorage, keys: dictionary.keyStorage.keys))
      default: break
      }
      // Close containers whose elements are complete before adding the next value.
      while let last = stack.last, last.position == last.elements.count {
        entries[last.entry].count = last.elements.count
        entries[last.entry].descendants = entries.count - last.entry - 1
        stack.removeLast()
      }
      guard let last = stack.indices.last else { return }
      let position = stack[last].position
      stack[last].position += 1
      if let keys = stack[last].keys { entries.append(Entry(value: .string(keys[position]))) }
      value = stack[last].elements[position]
    }
  }

  private struct Container {
    let entry: Int
    let elements: [PropertyList]
    var keys: [String]?
    var position = 0
  }

  /// Adds the next event of a value and returns whether the value is complete.
  mutating func append(_ event: PlistEvent, at position: PlistPosition?) -> Bool {
    switch event {
    case .key(let text):
      entries.append(Entry(value: .string(String(text)), position: position))
      return false
    case .endArray, .endDictionary:
      guard let entry = open.popLast() else { return true }
      entries[entry].descendants = entries.count - entry - 1
      return open.isEmpty
    case .beginArray, .beginDictionary:
      noteElement()
      open.append(entries.count)
      let kind: PropertyList = event == .beginArray ? .array([]) : .dictionary(PropertyListDictionary())
      entries.append(Entry(value: kind, position: position))
      return false
    default:
      noteElement()
      entries.append(Entry(value: PropertyList(scalar: event), position: position))
      return open.isEmpty
    }
  }

  private mutating func noteElement() {
    if let entry = open.last { entries[entry].count += 1 }
  }

  func next(after node: Int) -> Int { node + 1 + entries[node].descendants }

  func value(at node: Int) -> PropertyList {
    if hasWholeValues { return entries[node].value }
    // Entries are visited backwards, because a container's contents must be created first.
    var values: [PropertyList] = []
    for entry in entries[node..<next(after: node)].reversed() {
      switch entry.value {
      case .array:
        let elements = values.suffix(entry.count).reversed()
        values.removeLast(entry.count)
        values.append(.array(Array(elements)))
      case .dictionary:
        let parts = Array(values.suffix(2 * entry.count).reversed())
        values.removeLast(2 * entry.count)
        let keys = stride(from: 0, to: parts.count, by: 2).map { parts[$0].string ?? "" }
        let elements = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
        values.append(.dictionary(PropertyListDictionary(keys: keys, values: elements, duplicates: .lastWins)))
      default: values.append(entry.value)
      }
    }
    return values.last ?? .null
  }

  func token(of node: Int) -> PlistToken { entries[node].value.token }
}
