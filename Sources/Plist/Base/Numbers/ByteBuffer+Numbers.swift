extension ByteBuffer {
  mutating func append(decimal value: UInt64) {
    write(upTo: ByteCursor.longestDecimal) { $0.put(decimal: value) }
  }

  /// Appends a date in the form `2001-01-01T00:00:00Z`.
  mutating func append(_ date: GregorianDate) {
    write(upTo: ByteCursor.longestDate) { $0.put(date) }
  }

  /// Appends a finite number in its shortest form, without a trailing `.0`.
  mutating func append(shortest value: Double) {
    write(upTo: ByteCursor.longestReal) { $0.put(shortest: value) }
  }
}

extension UInt64 {
  /// The number of decimal digits; zero has one.
  var decimalDigits: Int {
    // 1233 / 2¹² approximates log₁₀ 2 so closely that `estimate` is the number of digits or one less for every 64-bit
    // integer.
    let bits = 64 - (self | 1).leadingZeroBitCount
    let estimate = (bits * 1233) >> 12
    return estimate + (self >= Self.powersOfTen[estimate] ? 1 : 0)
  }

  private static let powersOfTen: [UInt64] = [
    0, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]
}
