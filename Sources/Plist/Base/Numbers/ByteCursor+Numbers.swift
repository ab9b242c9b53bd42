extension ByteCursor {
  static let longestDecimal = 20

  /// Returns the two digits of `value`, which must be below 100, with the first in the low byte.
  private static func pair(_ value: UInt32) -> UInt64 {
    // For numbers below 100, multiplying by 103 and dividing by 2¹⁰ is the same as dividing by ten and rounding down.
    let tens = UInt64((value &* 103) >> 10)
    return tens | (UInt64(value) &- tens &* 10) << 8 | 0x3030
  }

  /// Returns the eight digits of `value`, which must be below 10⁸, with the first in the low byte.
  ///
  /// The number is split into four-digit halves, then two-digit quarters, then single digits, with all parts in one
  /// word.
  @inline(__always)
  static func eightDigits(_ value: UInt32) -> UInt64 {
    let halves = UInt64(value / 10_000) | UInt64(value % 10_000) << 32
    // Multiplying by 10,486 / 2²⁰ divides numbers below 10,000 by 100, and multiplying by 103 / 2¹⁰ divides numbers
    // below 100 by 10.
    let hundreds = (halves &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let quarters = hundreds | (halves &- hundreds &* 100) << 16
    let tens = (quarters &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (quarters &- tens &* 10) << 8 | 0x3030_3030_3030_3030
  }

  @inline(__always)
  mutating func put(decimal value: UInt64) {
    if value < 100_000_000 {
      put(small: UInt32(truncatingIfNeeded: value))
    } else {
      put(large: value)
    }
  }

  /// Writes a number below 10⁸ without leading zeros.
  @inline(__always)
  private mutating func put(small value: UInt32) {
    if value < 10 {
      put(UInt8(truncatingIfNeeded: value) &+ 0x30)
    } else if value < 100 {
      put(word: Self.pair(value), width: 2)
    } else {
      // Leading zeros are the lowest bytes of `digits`, before the first byte whose low four bits aren't all zero.
      let digits = Self.eightDigits(value)
      let zeros = (digits & 0x0F0F_0F0F_0F0F_0F0F).trailingZeroBitCount & ~7
      put(word: digits >> UInt64(zeros), width: 8 - zeros / 8)
    }
  }

  @inline(never)
  private mutating func put(large value: UInt64) {
    let (upper, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
    if upper < 100_000_000 {
      put(small: UInt32(truncatingIfNeeded: upper))
    } else {
      let (top, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
      put(small: UInt32(truncatingIfNeeded: top))
      put(word: Self.eightDigits(UInt32(truncatingIfNeeded: middle)))
    }
    put(word: Self.eightDigits(UInt32(truncatingIfNeeded: low)))
  }

  /// Writes a number below 100 as two digits.
  @inline(__always)
  private mutating func put(twoDigits value: Int) {
    put(word: Self.pair(UInt32(truncatingIfNeeded: value)), width: 2)
  }

  static let longestDate = 32

  /// Writes a date in the form `2001-01-01T00:00:00Z`, padding the year to at least four characters, including a minus
  /// sign.
  @inline(__always)
  mutating func put(_ date: GregorianDate) {
    if 0...9999 ~= date.year {
      put(twoDigits: Int(date.year / 100))
      put(twoDigits: Int(date.year % 100))
    } else {
      if date.year < 0 {
        put(0x2D)
        if date.year > -10 { put(0x30) }
        if date.year > -100 { put(0x30) }
      }
      put(decimal: date.year.magnitude)
    }
    put(0x2D)
    put(twoDigits: date.month)
    put(0x2D)
    put(twoDigits: date.day)
    put(0x54)
    put(twoDigits: date.hour)
    put(0x3A)
    put(twoDigits: date.minute)
    put(0x3A)
    put(twoDigits: date.second)
    put(0x5A)
  }

  /// The capacity that ``put(shortest:)`` needs for a sign, 17 digits, a point, and an exponent or four zeros.
  static let longestReal = 32

  /// Writes a number as `Double.description` does, but without the `.0` of whole numbers.
  mutating func put(shortest value: Double) {
    if value.sign == .minus { put(0x2D) }
    let magnitude = value.magnitude
    if magnitude == 0 { return put(0x30) }
    if put(thousandths: magnitude) { return }
    guard let decimal = ShortestDecimal(magnitude) else { return put(description: magnitude) }
    let count = decimal.digits.decimalDigits
    let point = count + decimal.exponent
    if point > -4, magnitude <= 0x1p53 {
      if point <= 0 {
        put(word: 0x3030_3030_2E30, width: 2 - point)
        put(decimal: decimal.digits)
      } else if point < count {
        put(pointAfter: point) { $0.put(decimal: decimal.digits) }
      } else {
        put(decimal: decimal.digits)
        put(word: 0x3030_3030_3030_3030, width: min(point - count, 8))
        put(word: 0x3030_3030_3030_3030, width: max(point - count - 8, 0))
      }
      return
    }
    if count == 1 {
      put(decimal: decimal.digits)
    } else {
      put(pointAfter: 1) { $0.put(decimal: decimal.digits) }
    }
    put(0x65)
    let exponent = point - 1
    put(exponent < 0 ? 0x2D : 0x2B)
    if exponent.magnitude < 100 {
      put(twoDigits: Int(exponent.magnitude))
    } else {
      put(decimal: UInt64(exponent.magnitude))
    }
  }

  /// Writes `value` if it is a multiple of 0.001, as many measured values are.
  ///
  /// Two different decimal numbers of at most fifteen digits never round to the same `Double`, so if one of them rounds
  /// to `value`, no shorter number does.
  ///
  /// - Returns: Whether `value` has been written; if not, nothing has been.
  @inline(__always)
  private mutating func put(thousandths value: Double) -> Bool {
    guard value < 1e12 else { return false }
    let thousandths = UInt64(value * 1000 + 0.5)
    guard Double(thousandths) / 1000 == value else { return false }
    let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
    put(decimal: whole)
    if fraction != 0 {
      let (high, low) = (fraction / 10, fraction % 10)
      let zeros = low != 0 ? 0 : high % 10 != 0 ? 1 : 2
      put(word: 0x2E | Self.pair(UInt32(truncatingIfNeeded: high)) << 8 | (low | 0x30) << 24, width: 4 - zeros)
    }
    return true
  }

  /// Writes the standard library's description, for the few numbers that ``ShortestDecimal`` doesn't support.
  @inline(never)
  private mutating func put(description value: Double) {
    value.description.withByteSpan { put($0) }
  }
}
