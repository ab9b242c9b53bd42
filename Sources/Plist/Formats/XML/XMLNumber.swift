enum XMLNumber {
  static func digit(_ byte: UInt8, isHexadecimal: Bool) -> UInt8? {
    isHexadecimal || byte < 0x3A ? byte.hexadecimalValue : nil
  }

  /// Skips white space before a number, including vertical tab and form feed, as in Apple's reader.
  private static func skipSpace(_ bytes: RawSpan, from offset: Int) -> Int {
    var offset = offset
    while offset < bytes.byteCount, bytes.byte(at: offset) == 0x20 || 0x09...0x0D ~= bytes.byte(at: offset) {
      offset += 1
    }
    return offset
  }

  /// Reads an integer: any white space, an optional sign, and decimal or `0x` hexadecimal digits.
  ///
  /// - Returns: The token, and the offset of the `<` after it. If the bytes end before the `<`, the token is
  ///   meaningless.
  @inline(__always)
  static func integer(_ bytes: RawSpan, from start: Int) throws(XMLFailure) -> (PlistToken, Int) {
    if start <= bytes.byteCount - 10 {
      var digits = start
      let isNegative = bytes.byte(at: start) == 0x2D
      if isNegative { digits &+= 1 }
      let (value, count) = ByteSearch.leadingDigits(bytes.word(at: digits))
      if count > 0, bytes.byte(at: digits &+ count) == 0x3C {
        if isNegative, value > 0 { return (PlistToken(.negativeInteger, bits: 0 &- value), digits &+ count) }
        return (PlistToken(.integer, bits: value), digits &+ count)
      }
    }
    // Read at most eighteen digits, so `value` cannot overflow.
    var value: UInt64 = 0
    var offset = start
    let bound = min(bytes.byteCount, start + 18)
    while offset < bound {
      let digit = bytes.byte(at: offset) &- 0x30
      guard digit < 10 else { break }
      value = value * 10 + UInt64(digit)
      offset += 1
    }
    if offset > start, offset < bytes.byteCount, bytes.byte(at: offset) == 0x3C {
      return (PlistToken(.integer, bits: value), offset)
    }
    return try anyInteger(bytes, from: start)
  }

  /// Returns the offset of the `<` after a real written as digits with at most one point; nil if it is spelled
  /// differently.
  ///
  /// - Precondition: The span has at least eight bytes from `limit` on.
  @inline(__always)
  static func plainRealEnd(_ bytes: RawSpan, from start: Int, limit: Int) -> Int? {
    var offset = start
    if bytes.byte(at: offset) == 0x2D { offset += 1 }
    var digits = ByteSearch.leadingDigitCount(bytes.word(at: offset))
    guard digits > 0 else { return nil }
    var hasPoint = false
    while true {
      offset += digits
      guard offset < limit else { return nil }
      if digits < 8 {
        let byte = bytes.byte(at: offset)
        if byte == 0x3C { return offset }
        guard byte == 0x2E, !hasPoint else { return nil }
        hasPoint = true
        offset += 1
        digits = ByteSearch.leadingDigitCount(bytes.word(at: offset))
        guard digits > 0 else { return nil }
      } else {
        digits = ByteSearch.leadingDigitCount(bytes.word(at: offset))
      }
    }
  }

  private static func anyInteger(_ bytes: RawSpan, from start: Int) throws(XMLFailure) -> (PlistToken, Int) {
    var offset = skipSpace(bytes, from: start)
    var isNegative = false
    if offset < bytes.byteCount, bytes.byte(at: offset) == 0x2D || bytes.byte(at: offset) == 0x2B {
      isNegative = bytes.byte(at: offset) == 0x2D
      offset = skipSpace(bytes, from: offset + 1)
    }
    var isHexadecimal = false
    if bytes.hasBytes("0x", at: offset) || bytes.hasBytes("0X", at: offset) {
      isHexadecimal = true
      offset += 2
    }
    let digits = offset
    var value: UInt64 = 0
    var overflows = false
    while offset < bytes.byteCount, let digit = digit(bytes.byte(at: offset), isHexadecimal: isHexadecimal) {
      let (product, first) = value.multipliedReportingOverflow(by: isHexadecimal ? 16 : 10)
      let (sum, second) = product.addingReportingOverflow(UInt64(digit))
      overflows = overflows || first || second
      value = sum
      offset += 1
    }
    // Without a closing tag, the caller asks for more bytes or reports an error.
    guard offset < bytes.byteCount else { return (PlistToken(.integer), offset) }
    if bytes.byte(at: offset) == 0x3C, offset + 1 < bytes.byteCount, bytes.byte(at: offset + 1) != 0x2F {
      return (PlistToken(.integer), offset)
    }
    guard offset > digits, bytes.byte(at: offset) == 0x3C else {
      throw XMLFailure(.invalidInteger, at: start, detail: bytes.firstOffset(of: 0x3C, from: start))
    }
    if overflows || isNegative && value > 1 << 63 {
      throw XMLFailure(.integerOverflow, at: start, detail: offset)
    }
    guard isNegative, value > 0 else { return (PlistToken(.integer, bits: value), offset) }
    return (PlistToken(.negativeInteger, bits: 0 &- value), offset)
  }

  /// Reads a real after any white space, allowing references and CDATA sections anywhere, as Apple's reader does.
  static func real(_ bytes: RawSpan, from start: Int) throws(XMLFailure) -> (PlistToken, Int) {
    if start < bytes.byteCount - 8, let end = plainRealEnd(bytes, from: start, limit: bytes.byteCount - 8),
      bytes.byte(at: end + 1) == 0x2F, let value = DecimalNumber(bytes, in: start..<end)?.value
    {
      return (PlistToken(.real, bits: value.bitPattern), end)
    }
    var end = bytes.firstOffset(of: 0x3C, from: start)
    guard end + 1 < bytes.byteCount else { return (PlistToken(.real), bytes.byteCount) }
    let second = bytes.byte(at: end + 1)
    // Markup other than `</` or `<!` is an error for the caller to report.
    guard second == 0x2F || second == 0x21 else { return (PlistToken(.real), end) }
    let isEscaped =
      second == 0x21 || bytes.firstOffset(of: 0x26, from: start, to: end) < end
    var value: Double?
    if isEscaped {
      // Attributes cannot contain `<`, so the last `<` before the text begins the opening tag.
      var opened = start - 1
      while opened > 0, bytes.byte(at: opened) != 0x3C { opened -= 1 }
      let (_, textEnd) = try XMLText.scan(bytes, from: start, opened: opened)
      var buffer = ByteBuffer()
      XMLText.decode(bytes, in: start..<textEnd, into: &buffer)
      end = textEnd
      value = buffer.withSpan { real($0, in: 0..<$0.byteCount) }
    } else {
      value = real(bytes, in: start..<end)
    }
    guard let value else { throw XMLFailure(.invalidReal, at: start, detail: end) }
    return (PlistToken(.real, bits: value.bitPattern), end)
  }

  private static func real(_ bytes: RawSpan, in range: Range<Int>) -> Double? {
    if let special = special(bytes, in: range) { return special }
    let start = min(skipSpace(bytes, from: range.lowerBound), range.upperBound)
    return DecimalNumber(bytes, in: start..<range.upperBound)?.value
  }

  /// Returns the value of `nan`, `inf` or `infinity`, ignoring case, or nil for other text; only the last two can have
  /// a sign.
  static func special(_ bytes: RawSpan, in range: Range<Int>) -> Double? {
    let length = range.upperBound - range.lowerBound
    guard length >= 3, length <= 9 else { return nil }
    var first = bytes.byte(at: range.lowerBound)
    if first == 0x2B || first == 0x2D { first = bytes.byte(at: range.lowerBound + 1) }
    guard first >= 0x41 else { return nil }
    switch String(utf8: bytes, in: range).lowercased() {
    case "nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: return nil
    }
  }
}
