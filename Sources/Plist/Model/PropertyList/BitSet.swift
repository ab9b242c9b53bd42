/// A bit set of small non-negative integers.
struct BitSet {
  private var words: [UInt64]

  /// Creates an empty set for the numbers from 0 to `count` − 1.
  ///
  /// For up to 64 numbers, it uses an array literal, which takes 230 instructions. `Array(repeating:count:)` takes 930
  /// because it looks up a generic type at run time.
  init(count: Int) { words = count <= 64 ? [0] : [UInt64](repeating: 0, count: (count + 63) / 64) }

  @inline(__always)
  func contains(_ number: Int) -> Bool { words[number >> 6] & (1 << UInt64(number & 63)) != 0 }

  @inline(__always)
  mutating func insert(_ number: Int) { words[number >> 6] |= 1 << UInt64(number & 63) }

  @inline(__always)
  mutating func remove(_ number: Int) { words[number >> 6] &= ~(1 << UInt64(number & 63)) }
}
