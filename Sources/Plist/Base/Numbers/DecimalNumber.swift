/// A decimal literal: an optional sign, digits with or without a decimal point, and an optional exponent.
struct DecimalNumber {
  /// The nearest `Double`, which is infinite or zero if the number is out of range.
  let value: Double

  /// Parses the bytes in `range`, or returns nil if they are not exactly one decimal literal.
  init?(_ bytes: RawSpan, in range: Range<Int>) {
    let end = range.upperBound
    var offset = range.lowerBound
    var isNegative = false
    if offset < end, bytes.byte(at: offset) == 0x2D || bytes.byte(at: offset) == 0x2B {
      isNegative = bytes.byte(at: offset) == 0x2D
      offset += 1
    }
    var digits = Digits()
    digits.take(bytes, from: &offset, to: end, isFraction: false)
    if offset < end, bytes.byte(at: offset) == 0x2E {
      offset += 1
      digits.take(bytes, from: &offset, to: end, isFraction: true)
    }
    guard digits.count > 0 else { return nil }
    let significand = digits.significand
    var exponent = digits.exponent
    if offset < end, bytes.byte(at: offset) | 0x20 == 0x65 {
      offset += 1
      var isExponentNegative = false
      if offset < end, bytes.byte(at: offset) == 0x2D || bytes.byte(at: offset) == 0x2B {
        isExponentNegative = bytes.byte(at: offset) == 0x2D
        offset += 1
      }
      guard offset < end else { return nil }
      var written = 0
      while offset < end, bytes.byte(at: offset) &- 0x30 < 10 {
        // The limit keeps `written` from overflowing. Beyond it, the result is infinite or zero, even if the literal
        // has millions of digits.
        if written < Int.max / 40 { written = written * 10 + Int(bytes.byte(at: offset) & 0x0F) }
        offset += 1
      }
      exponent += isExponentNegative ? -written : written
    }
    guard offset == end else { return nil }
    let magnitude: Double
    if digits.isExact, significand < 1 << 53, -22...22 ~= exponent {
      // The significand and the power are exact, and their product or quotient is rounded only once, so it is the
      // nearest `Double` (Clinger 1990).
      let power = Self.powersOfTen[abs(exponent)]
      magnitude = exponent < 0 ? Double(significand) / power : Double(significand) * power
    } else if let nearest = Self.nearest(significand, exponent),
      digits.isExact || Self.nearest(significand + 1, exponent) == nearest
    {
      // If the literal has more digits than `significand`, its value lies between `significand` and `significand + 1`
      // times the power of ten. If both round to the same `Double`, so does the literal.
      magnitude = nearest
    } else {
      guard let parsed = Double(String(utf8: bytes, in: range)) else { return nil }
      value = parsed
      return
    }
    value = isNegative ? -magnitude : magnitude
  }

  /// The digits before the exponent.
  private struct Digits {
    /// The first significant digits, at most nineteen.
    var significand: UInt64 = 0
    /// The number of significant digits in ``significand``.
    var significant = 0
    /// The power of ten by which ``significand`` is multiplied.
    var exponent = 0
    var count = 0
    /// Whether ``significand`` includes all nonzero digits.
    var isExact = true

    static let powersOfTen: [UInt64] = [
      1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
    ]

    @inline(__always)
    mutating func take(_ bytes: RawSpan, from offset: inout Int, to end: Int, isFraction: Bool) {
      while offset < end {
        // With eight more, there are at most nineteen digits, which fit into 64 bits.
        if significant <= 11, offset <= bytes.byteCount - 8 {
          let (value, found) = ByteSearch.leadingDigits(bytes.word(at: offset))
          if found <= end - offset {
            significand = significand * Self.powersOfTen[found] + value
            // Leading zeros are not significant.
            if significand != 0 { significant += found }
            if isFraction { exponent -= found }
            count += found
            offset += found
            if found < 8 { return }
            continue
          }
        }
        let digit = bytes.byte(at: offset) &- 0x30
        guard digit < 10 else { return }
        offset += 1
        count += 1
        if significant < 19 {
          significand = significand * 10 + UInt64(digit)
          if significand != 0 { significant += 1 }
          if isFraction { exponent -= 1 }
        } else {
          if digit != 0 { isExact = false }
          if !isFraction { exponent += 1 }
        }
      }
    }
  }

  /// Returns the `Double` nearest to `significand` × 10^`exponent`, or nil if 128 bits of the power of five are not
  /// enough to determine it.
  ///
  /// This is the Eisel-Lemire algorithm; see ``PowersOfFive``.
  private static func nearest(_ significand: UInt64, _ exponent: Int) -> Double? {
    if significand == 0 || exponent < PowersOfFive.exponents.lowerBound { return 0 }
    if exponent > PowersOfFive.exponents.upperBound { return .infinity }
    let zeros = significand.leadingZeroBitCount
    let normalized = significand << UInt64(zeros)
    let power = PowersOfFive.power(exponent)
    var (upper, lower) = normalized.multipliedFullWidth(by: power.high)
    // Nine bits of the upper word are needed for neither the result nor its rounding. The low word of the power of five
    // matters only if all nine are set.
    if upper & 0x1FF == 0x1FF {
      let correction = normalized.multipliedFullWidth(by: power.low).high
      let (sum, overflow) = lower.addingReportingOverflow(correction)
      lower = sum
      if overflow { upper += 1 }
    }
    if lower == .max, !(-27...55 ~= exponent) { return nil }
    let isLarge = Int(upper >> 63)
    var mantissa = upper >> UInt64(isLarge + 9)
    // For the exponents in the table, 217706 / 2¹⁶ approximates log₂ 10 closely enough for the binary exponent.
    var binaryExponent = ((217_706 * exponent) >> 16) + 63 + isLarge - zeros + 1023
    if binaryExponent <= 0 {
      let shift = 1 - binaryExponent
      if shift >= 64 { return 0 }
      mantissa >>= UInt64(shift)
      mantissa = (mantissa + (mantissa & 1)) >> 1
      // Rounding up a subnormal number can produce the smallest normal number, whose bit pattern directly follows that
      // of the largest subnormal.
      return Double(bitPattern: mantissa)
    }
    // A number exactly halfway between two `Double`s rounds to the even one. That happens only for decimal exponents
    // from −4 to 23.
    if lower <= 1, -4...23 ~= exponent, mantissa & 3 == 1, mantissa << UInt64(isLarge + 9) == upper { mantissa &= ~1 }
    mantissa = (mantissa + (mantissa & 1)) >> 1
    if mantissa >= 1 << 53 {
      mantissa = 1 << 52
      binaryExponent += 1
    }
    if binaryExponent >= 0x7FF { return .infinity }
    return Double(bitPattern: UInt64(binaryExponent) << 52 | mantissa & (1 << 52 - 1))
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    1e20, 1e21, 1e22,
  ]
}
