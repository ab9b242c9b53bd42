/// A decimal floating-point literal: a sign, digits with or without a point, and an exponent.
struct DecimalNumber {
  /// The nearest number; infinite or zero where the literal is beyond the range of `Double`.
  let value: Double

  /// Parses the whole of `range`, or returns nil where it is not such a literal.
  init?(_ bytes: RawSpan, in range: Range<Int>) {
    let end = range.upperBound
    var offset = range.lowerBound
    var isNegative = false
    if offset < end, bytes.byte(at: offset) == 0x2D || bytes.byte(at: offset) == 0x2B {
      isNegative = bytes.byte(at: offset) == 0x2D
      offset += 1
    }
    var significand: UInt64 = 0
    var significant = 0
    var exponent = 0
    var digits = 0
    var isExact = true

    func take(_ digit: UInt8, isFraction: Bool) {
      digits += 1
      if significand == 0, digit == 0 {
        if isFraction { exponent -= 1 }
        return
      }
      if significant < 19 {
        significand = significand * 10 + UInt64(digit)
        significant += 1
        if isFraction { exponent -= 1 }
      } else {
        if digit != 0 { isExact = false }
        if !isFraction { exponent += 1 }
      }
    }

    while offset < end, bytes.byte(at: offset) &- 0x30 < 10 {
      take(bytes.byte(at: offset) - 0x30, isFraction: false)
      offset += 1
    }
    if offset < end, bytes.byte(at: offset) == 0x2E {
      offset += 1
      while offset < end, bytes.byte(at: offset) &- 0x30 < 10 {
        take(bytes.byte(at: offset) - 0x30, isFraction: true)
        offset += 1
      }
    }
    guard digits > 0 else { return nil }
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
        // Far beyond any exponent that matters, however many digits the significand has.
        if written < 1 << 40 { written = written * 10 + Int(bytes.byte(at: offset) - 0x30) }
        offset += 1
      }
      exponent += isExponentNegative ? -written : written
    }
    guard offset == end else { return nil }
    let magnitude: Double
    if significand == 0 {
      magnitude = 0
    } else if isExact, significand < 1 << 53, -22...22 ~= exponent {
      // Both operands are exact, so one rounding gives the nearest number (Clinger 1990).
      let power = Self.powersOfTen[abs(exponent)]
      magnitude = exponent < 0 ? Double(significand) / power : Double(significand) * power
    } else {
      guard let parsed = Double(String(utf8: bytes, in: range)) else { return nil }
      value = parsed
      return
    }
    value = isNegative ? -magnitude : magnitude
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    1e20, 1e21, 1e22,
  ]
}
