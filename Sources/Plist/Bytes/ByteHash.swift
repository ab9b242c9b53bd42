/// A fast seeded hash of bytes, for tables whose order nothing depends on.
///
/// Each word is mixed in by a 64-to-128-bit multiplication whose halves are folded together. The seed differs from
/// process to process, so that nobody can prepare values that collide.
struct ByteHash {
  private let seed: UInt64

  init() { seed = UInt64.random(in: .min ... .max) }

  /// The hash of the bytes in `range`.
  @inline(__always)
  func hash(_ bytes: RawSpan, in range: Range<Int>) -> UInt64 {
    var state = seed ^ UInt64(truncatingIfNeeded: range.upperBound - range.lowerBound)
    var offset = range.lowerBound
    while offset <= range.upperBound - 8 {
      state = Self.mix(state ^ bytes.word(at: offset))
      offset += 8
    }
    if offset < range.upperBound {
      var tail: UInt64 = 0
      while offset < range.upperBound {
        tail = tail << 8 | UInt64(bytes.byte(at: offset))
        offset += 1
      }
      state = Self.mix(state ^ tail)
    }
    return Self.mix(state ^ seed)
  }

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    // The constant is the golden ratio's fraction, odd and without pattern.
    let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

extension RawSpan {
  /// Whether the `length` bytes at `first` and at `second` are the same.
  @inline(__always)
  func areEqual(_ first: Int, _ second: Int, length: Int) -> Bool {
    var offset = 0
    while offset <= length - 8 {
      if word(at: first + offset) != word(at: second + offset) { return false }
      offset += 8
    }
    while offset < length {
      if byte(at: first + offset) != byte(at: second + offset) { return false }
      offset += 1
    }
    return true
  }
}
