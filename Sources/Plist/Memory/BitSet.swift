/// A set of small non-negative integers that uses one bit for each possible integer.
struct BitSet {
  private var words: [UInt64]

  /// Creates an empty set for the numbers from 0 to `count` − 1.
  init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  @inline(__always)
  func contains(_ number: Int) -> Bool { words[number >> 6] & (1 << UInt64(number & 63)) != 0 }

  @inline(__always)
  mutating func insert(_ number: Int) { words[number >> 6] |= 1 << UInt64(number & 63) }

  @inline(__always)
  mutating func remove(_ number: Int) { words[number >> 6] &= ~(1 << UInt64(number & 63)) }
}

/// A set of object numbers of a binary document.
///
/// A reader of a whole document uses one bit for each object. A reader of one value must not take time in proportion to
/// the number of objects in the document, so it uses a `Set`.
struct ObjectSet {
  private var bits: BitSet
  private var numbers: Set<Int> = []
  private let isWhole: Bool

  /// Creates an empty set for the objects of a whole document, or for the objects of one value.
  init(count: Int, isWhole: Bool) {
    self.isWhole = isWhole
    bits = BitSet(count: isWhole ? count : 0)
  }

  @inline(__always)
  func contains(_ number: Int) -> Bool { isWhole ? bits.contains(number) : numbers.contains(number) }

  @inline(__always)
  mutating func insert(_ number: Int) {
    if isWhole { bits.insert(number) } else { numbers.insert(number) }
  }

  @inline(__always)
  mutating func remove(_ number: Int) {
    if isWhole { bits.remove(number) } else { numbers.remove(number) }
  }
}
