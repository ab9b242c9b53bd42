/// Values that OpenStep text puts in angle brackets: hexadecimal data, and GNUstep's base64 data and typed values.
enum OpenStepValue {
  static func read(_ bytes: RawSpan, at start: Int) throws(TextFailure) -> (PlistToken, Int) {
    guard start + 1 < bytes.byteCount else { throw TextFailure(.endOfInput, at: bytes.byteCount, detail: start) }
    switch bytes.byte(at: start + 1) {
    case 0x2A: return try typedValue(bytes, at: start)
    case 0x5B: return try base64(bytes, at: start)
    default: return try data(bytes, at: start)
    }
  }

  private static func data(_ bytes: RawSpan, at start: Int) throws(TextFailure) -> (PlistToken, Int) {
    let truncated = TextFailure(.endOfInput, at: bytes.byteCount, detail: start)
    var offset = start + 1
    while offset < bytes.byteCount {
      let byte = bytes.byte(at: offset)
      if byte == 0x3E { return (PlistToken(.data, .hexadecimal, start + 1..<offset), offset + 1) }
      if OpenStepScanner.isSpace(byte) {
        offset += 1
        continue
      }
      guard byte.hexadecimalValue != nil else { throw TextFailure(.hexDigit, at: offset) }
      guard offset + 1 < bytes.byteCount else { throw truncated }
      guard bytes.byte(at: offset + 1).hexadecimalValue != nil else { throw TextFailure(.halfByte, at: offset) }
      offset += 2
    }
    throw truncated
  }

  /// Reads GNUstep's `<[…]>`, which is base64 with any white space between the digits.
  private static func base64(_ bytes: RawSpan, at start: Int) throws(TextFailure) -> (PlistToken, Int) {
    let range = start + 2..<bytes.firstOffset(of: 0x5D, from: start + 2)
    guard range.upperBound + 1 < bytes.byteCount else {
      throw TextFailure(.endOfInput, at: bytes.byteCount, detail: start)
    }
    let invalid = TextFailure(.invalidData, at: range.lowerBound, detail: range.upperBound)
    var (digits, padding) = (0, 0)
    for offset in range {
      let byte = bytes.byte(at: offset)
      if Base64.isDigit(byte), padding == 0 {
        digits += 1
      } else if byte == 0x3D {
        padding += 1
      } else if !OpenStepScanner.isSpace(byte) {
        throw invalid
      }
    }
    guard (digits + padding) % 4 == 0, padding <= 2, padding == 0 || digits > 0,
      bytes.byte(at: range.upperBound + 1) == 0x3E
    else { throw invalid }
    return (PlistToken(.data, .base64, range), range.upperBound + 2)
  }

  /// Reads one of GNUstep's typed values: `<*I5>`, `<*R1.5>`, `<*BY>` or `<*D2001-01-01 00:00:00 +0000>`.
  ///
  /// Newer versions of GNUstep put the value in quotation marks, which are accepted too.
  private static func typedValue(_ bytes: RawSpan, at start: Int) throws(TextFailure) -> (PlistToken, Int) {
    let end = bytes.firstOffset(of: 0x3E, from: start + 2)
    guard end < bytes.byteCount, start + 2 < end else {
      if end < bytes.byteCount { throw TextFailure(.unknownType, at: start, detail: end + 1) }
      throw TextFailure(.endOfInput, at: bytes.byteCount, detail: start)
    }
    var range = start + 3..<end
    if range.count >= 2, bytes.byte(at: range.lowerBound) == 0x22, bytes.byte(at: end - 1) == 0x22 {
      range = range.lowerBound + 1..<end - 1
    }
    let token: PlistToken
    switch bytes.byte(at: start + 2) {
    case 0x49: token = try integer(bytes, in: range)
    case 0x52: token = try real(bytes, in: range)
    case 0x42:
      guard range.count == 1, [0x59, 0x4E].contains(bytes.byte(at: range.lowerBound)) else {
        throw TextFailure(.invalidBoolean, at: range.lowerBound, detail: range.upperBound)
      }
      token = PlistToken(bytes.byte(at: range.lowerBound) == 0x59 ? .booleanTrue : .booleanFalse)
    case 0x44: token = try OpenStepDate.read(bytes, in: range)
    default: throw TextFailure(.unknownType, at: start, detail: end + 1)
    }
    return (token, end + 1)
  }

  private static func integer(_ bytes: RawSpan, in range: Range<Int>) throws(TextFailure) -> PlistToken {
    if let value = PropertyListInteger(String(utf8: bytes, in: range)) { return PlistToken(value) }
    let isDigits =
      !range.isEmpty
      && range.allSatisfy { index in
        let byte = bytes.byte(at: index)
        return byte &- 0x30 < 10 || index == range.lowerBound && range.count > 1 && (byte == 0x2B || byte == 0x2D)
      }
    throw TextFailure(isDigits ? .integerOverflow : .invalidInteger, at: range.lowerBound, detail: range.upperBound)
  }

  private static func real(_ bytes: RawSpan, in range: Range<Int>) throws(TextFailure) -> PlistToken {
    let value = XMLNumber.special(bytes, in: range) ?? DecimalNumber(bytes, in: range)?.value
    guard let value else { throw TextFailure(.invalidReal, at: range.lowerBound, detail: range.upperBound) }
    return PlistToken(.real, bits: value.bitPattern)
  }
}

/// GNUstep's dates: `YYYY-MM-DD hh:mm:ss ±hhmm`.
enum OpenStepDate {
  static func read(_ bytes: RawSpan, in range: Range<Int>) throws(TextFailure) -> PlistToken {
    func malformed(_ reason: TextFailureReason) -> TextFailure {
      TextFailure(reason, at: range.lowerBound, detail: range.upperBound)
    }
    guard let (year, yearEnd) = XMLDate.year(bytes, in: range),
      let date = XMLDate.date(
        ofYear: year, bytes, in: yearEnd..<range.upperBound, template: "-00-00 00:00:00 +0000")
    else { throw malformed(.invalidDate) }
    let zone = range.upperBound - 5
    let (hours, minutes) = (XMLDate.twoDigits(bytes, at: zone + 1), XMLDate.twoDigits(bytes, at: zone + 3))
    guard GregorianDate.years.contains(date.year) else { throw malformed(.dateTooFar) }
    guard date.isValid, minutes < 60 else { throw malformed(.dateFieldOutOfRange) }
    let difference = Int64((hours * 60 + minutes) * 60)
    let isWest = bytes.byte(at: zone) == 0x2D
    guard let seconds = GregorianDate.interval(date.secondsSinceReference - (isWest ? -difference : difference)) else {
      throw malformed(.dateTooFar)
    }
    return PlistToken(.date, bits: seconds.bitPattern)
  }
}
