#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes a `PropertyList` of values that come one by one.
struct PropertyListAssembler: PropertyListVisitor {
  typealias Failure = Never

  /// A container that is open.
  private struct Container {
    var keys: [String] = []
    var values: [PropertyList] = []
    /// Whether a key may have come twice.
    var hasDuplicates = false
  }

  /// The value of the document, once it is complete.
  private var root: PropertyList?
  /// The containers that are open, the outermost first.
  private var open: [Container] = []
  /// The keys of the dictionary that was complete last, which the next one often has as well.
  private var lastKeys = PropertyListKeys.empty

  /// Takes the value, and begins another one.
  mutating func take() -> PropertyList? {
    defer { self = PropertyListAssembler() }
    return root
  }

  @inline(__always)
  private mutating func add(_ value: PropertyList) {
    if open.isEmpty {
      root = value
    } else {
      open[open.count - 1].values.append(value)
    }
  }

  mutating func key(_ key: String) { open[open.count - 1].keys.append(key) }
  mutating func key(_ key: PlistText) { self.key(String(key)) }
  mutating func string(_ string: String) { add(.string(string)) }
  mutating func string(_ string: PlistText) { add(.string(String(string))) }
  mutating func integer(_ integer: PropertyListInteger) { add(.integer(integer)) }
  mutating func real(_ real: Double) { add(.real(real)) }
  mutating func real(_ real: Float) { add(.real(Double(real))) }
  mutating func boolean(_ boolean: Bool) { add(.boolean(boolean)) }
  mutating func date(_ date: Date) { add(.date(date)) }
  mutating func data(_ data: Data) { add(.data(data)) }
  mutating func uid(_ uid: PropertyListUID) { add(.uid(uid)) }
  mutating func null() { add(.null) }
  mutating func beginDictionary() { open.append(Container()) }
  mutating func beginArray() { open.append(Container()) }

  mutating func endArray() {
    let container = open.removeLast()
    add(.array(container.values))
  }

  mutating func endDictionary() {
    let container = open.removeLast()
    if container.hasDuplicates {
      let dictionary = PropertyListDictionary(
        keys: container.keys, values: container.values, duplicates: .lastWins)
      return add(.dictionary(dictionary))
    }
    let isSame =
      lastKeys.count == container.keys.count
      && zip(lastKeys.keys, container.keys).allSatisfy { $0.hasSameBits(as: $1) || $0.hasSameBytes(as: $1) }
    if !isSame { lastKeys = PropertyListKeys(container.keys) }
    add(.dictionary(PropertyListDictionary(uniqueKeys: lastKeys, values: container.values)))
  }

  /// Takes back the containers from `containers` on, and the keys and values of the innermost one left from `count` on.
  mutating func remove(from count: Int, containers: Int) {
    root = nil
    open.removeLast(max(0, open.count - containers))
    guard let last = open.indices.last else { return }
    let isDictionary = !open[last].keys.isEmpty
    let keys = isDictionary ? (count + 1) / 2 : 0
    open[last].keys.removeLast(open[last].keys.count - keys)
    open[last].values.removeLast(max(0, open[last].values.count - (count - keys)))
  }

  /// Notes that a key of the dictionary that is open may have come twice, and the last one counts.
  mutating func keepLastPairs() { open[open.count - 1].hasDuplicates = true }
}
