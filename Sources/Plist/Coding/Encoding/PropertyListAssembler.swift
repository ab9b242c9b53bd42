#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Builds a `PropertyList` in which successive dictionaries with the same keys in the same order share one list of
/// keys.
struct PropertyListAssembler: PropertyListVisitor {
  typealias Failure = Never

  private struct Container {
    var keys: [String] = []
    var values: [PropertyList] = []
  }

  /// The finished property list, or nil until it is complete.
  private(set) var root: PropertyList?
  private var open: [Container] = []
  /// The keys of the last completed dictionary, which the next one shares if its keys are the same.
  private var lastKeys = PropertyListKeys.empty

  private mutating func add(_ value: PropertyList) {
    if open.isEmpty {
      root = value
    } else {
      open[open.count - 1].values.append(value)
    }
  }

  mutating func key(_ key: String) { open[open.count - 1].keys.append(key) }
  mutating func key(utf8 key: RawSpan) { self.key(String(utf8: key)) }
  mutating func string(_ string: String) { add(.string(string)) }
  mutating func string(utf8 string: RawSpan) { add(.string(String(utf8: string))) }
  mutating func data(_ data: Data) { add(.data(data)) }
  mutating func scalar(_ scalar: PlistScalar) { add(PropertyList(scalar)) }
  mutating func beginDictionary() { open.append(Container()) }
  mutating func beginArray() { open.append(Container()) }

  mutating func endArray() {
    let container = open.removeLast()
    add(.array(container.values))
  }

  mutating func endDictionary() {
    let container = open.removeLast()
    let isSame =
      lastKeys.count == container.keys.count
      && zip(lastKeys.keys, container.keys).allSatisfy { $0.hasSameBytes(as: $1) }
    if !isSame { lastKeys = PropertyListKeys(container.keys) }
    add(.dictionary(PropertyListDictionary(uniqueKeys: lastKeys, values: container.values)))
  }
}
