#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList: Hashable {
  /// Hashes the property list.
  ///
  /// Complexity: O(*n*) in the size of the property list.
  public func hash(into hasher: inout Hasher) {
    guard var frame = HashFrame(self) else {
      hashScalar(into: &hasher)
      return
    }
    // The containers that enclose the one in `frame`, outermost first.
    var outer: [HashFrame] = []
    while true {
      if let child = frame.next() {
        if let inner = HashFrame(child) {
          outer.append(frame)
          frame = inner
        } else {
          frame.combine { child.hashScalar(into: &$0) }
        }
      } else {
        let hash = frame.finalize()
        guard let container = outer.popLast() else {
          hasher.combine(hash)
          return
        }
        frame = container
        frame.combine { $0.combine(hash) }
      }
    }
  }
}

private struct HashFrame {
  private let keys: PropertyListKeys?
  private let values: [PropertyList]
  private var position = 0
  private var hasher = Hasher()
  /// The sum of the hashes of a dictionary's pairs, which does not depend on their order.
  private var sum = 0

  init?(_ value: PropertyList) {
    switch value {
    case .array(let elements):
      keys = nil
      values = elements
    case .dictionary(let dictionary):
      keys = dictionary.keyStorage
      values = dictionary.valueStorage
    default:
      return nil
    }
  }

  mutating func next() -> PropertyList? {
    guard position < values.count else { return nil }
    defer { position += 1 }
    return values[position]
  }

  /// Adds the hash of the child that ``next()`` returned last.
  mutating func combine(_ child: (inout Hasher) -> Void) {
    if let keys {
      var pair = Hasher()
      keys.keys[position - 1].hashBytes(into: &pair)
      child(&pair)
      sum &+= pair.finalize()
    } else {
      child(&hasher)
    }
  }

  func finalize() -> Int {
    var hasher = hasher
    hasher.combine(keys == nil)
    hasher.combine(values.count)
    hasher.combine(sum)
    return hasher.finalize()
  }
}
