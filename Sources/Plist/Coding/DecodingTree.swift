#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The values of a ``PropertyList`` in a row, to be decoded as those of an indexed document are.
///
/// What a container holds follows it, with all that is in it; in dictionaries each value follows its key.
struct DecodingTree {
  struct Entry {
    /// The value; for a key, the string that it is.
    var value: PropertyList
    /// How many entries are below a container.
    var descendants = 0
    /// Where the value stands in the document, where that is known.
    var position: PlistPosition?
  }

  private(set) var entries: [Entry] = []

  /// A tree without values.
  init() {}

  /// The tree of a value, made without recursion.
  init(_ root: PropertyList) {
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
      // Up to the next value: whatever has no more elements ends.
      while let last = stack.indices.last, stack[last].position == stack[last].elements.count {
        entries[stack[last].entry].descendants = entries.count - stack[last].entry - 1
        stack.removeLast()
      }
      guard let last = stack.indices.last else { return }
      let position = stack[last].position
      stack[last].position += 1
      if let keys = stack[last].keys { entries.append(Entry(value: .string(keys[position]))) }
      value = stack[last].elements[position]
    }
  }

  /// A container whose elements are being entered.
  private struct Container {
    let entry: Int
    let elements: [PropertyList]
    var keys: [String]?
    var position = 0
  }

  /// How many values a container holds.
  func count(of node: Int) -> Int {
    switch entries[node].value {
    case .array(let elements): return elements.count
    case .dictionary(let dictionary): return dictionary.count
    default: return 0
    }
  }

  /// The entry behind the value at `node`.
  func next(after node: Int) -> Int { node + 1 + entries[node].descendants }

  /// The value at `node`, as a token without text.
  func token(of node: Int) -> PlistToken {
    switch entries[node].value {
    case .string: return PlistToken(.string)
    case .integer(let value): return PlistToken(value.isNegative ? .negativeInteger : .integer, bits: value.bits)
    case .real(let value): return PlistToken(.real, bits: value.bitPattern)
    case .boolean(let value): return PlistToken(value ? .booleanTrue : .booleanFalse)
    case .date(let value): return PlistToken(.date, bits: value.timeIntervalSinceReferenceDate.bitPattern)
    case .data: return PlistToken(.data)
    case .uid(let value): return PlistToken(.uid, bits: UInt64(value.value))
    case .null: return PlistToken(.null)
    case .array: return PlistToken(.beginArray)
    case .dictionary: return PlistToken(.beginDictionary)
    }
  }
}
