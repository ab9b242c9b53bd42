/// Dates in the form `-?Y+-MM-DDThh:mm:ssZ`, with nothing around them.
enum XMLDate {
  /// Reads a date with a four-digit year, returning nil if it is spelled differently or invalid.
  ///
  /// - Precondition: The span has at least 24 bytes from `start` on.
  @inline(__always)
  static func plain(_ bytes: RawSpan, from start: Int) -> GregorianDate? {
    // XOR turns each digit of `YYYY-MM-`, `DDThh:mm` and `:ssZ` into its value, and each separator into zero.
    let first = bytes.word(at: start) ^ 0x2D30_302D_3030_3030
    let second = bytes.word(at: start + 8) ^ 0x3030_3A30_3054_3030
    let third = UInt64(bytes.half(at: start + 16)) ^ 0x5A30_303A
    // In `others`, the top bit of a byte is set if the byte is not the digit or separator expected there. No carry
    // crosses into the next byte.
    let low = ~ByteSearch.highBits
    let others =
      ((first & low) &+ 0x7F76_767F_7676_7676 | first) | ((second & low) &+ 0x7676_7F76_767F_7676 | second)
      | ((third & low) &+ 0x7F76_767F | third)
    guard others & ByteSearch.highBits == 0 else { return nil }
    // Each byte of `a`, `b` and `c` is ten times one digit plus the next, so `field` finds two-digit numbers there.
    let (a, b, c) = (first &* 10 &+ first >> 8, second &* 10 &+ second >> 8, third &* 10 &+ third >> 8)
    func field(_ word: UInt64, _ index: UInt64) -> Int { Int(truncatingIfNeeded: word >> (8 &* index) & 0xFF) }
    let date = GregorianDate(
      year: Int64(field(a, 0) &* 100 &+ field(a, 2)), month: field(a, 5), day: field(b, 0), hour: field(b, 3),
      minute: field(b, 6), second: field(c, 1))
    return date.isValid ? date : nil
  }

  /// Reads a date with a four-digit year before a `<`.
  ///
  /// Returns nil if the date is spelled differently or the span has fewer than 24 bytes from `start` on.
  static func plainDate(_ bytes: RawSpan, from start: Int) -> GregorianDate? {
    guard start <= bytes.byteCount - 24, bytes.byte(at: start + plainLength) == 0x3C else { return nil }
    return plain(bytes, from: start)
  }

  static let plainLength = 20

  /// Reads a date, and returns its token and the offset of the `<` after it.
  static func read(_ bytes: RawSpan, from start: Int) throws(XMLFailure) -> (PlistToken, Int) {
    let end = bytes.firstOffset(of: 0x3C, from: start)
    // Without a closing tag, the caller asks for more bytes or reports an error.
    guard end + 1 < bytes.byteCount, bytes.byte(at: end + 1) == 0x2F else { return (PlistToken(.date), end) }
    guard let (year, yearEnd) = Self.year(bytes, in: start..<end),
      let date = date(ofYear: year, bytes, in: yearEnd..<end)
    else { throw XMLFailure(.invalidDate, at: start, detail: end) }
    guard date.isValid else { throw XMLFailure(.dateFieldOutOfRange, at: start, detail: end) }
    guard GregorianDate.years.contains(date.year), let seconds = GregorianDate.interval(date.secondsSinceReference)
    else { throw XMLFailure(.dateTooFar, at: start, detail: end) }
    return (PlistToken(.date, bits: seconds.bitPattern), end)
  }

  /// Reads a year with an optional minus sign at the start of `range`, returning nil if there are no digits.
  ///
  /// Beyond `GregorianDate.years`, the result may be a different year, but that too is out of range.
  static func year(_ bytes: RawSpan, in range: Range<Int>) -> (year: Int64, end: Int)? {
    var offset = range.lowerBound
    let isNegative = offset < range.upperBound && bytes.byte(at: offset) == 0x2D
    if isNegative { offset += 1 }
    let firstDigit = offset
    var year: Int64 = 0
    while offset < range.upperBound, bytes.byte(at: offset) &- 0x30 < 10 {
      if year <= GregorianDate.years.upperBound { year = year * 10 + Int64(bytes.byte(at: offset) & 0x0F) }
      offset += 1
    }
    return offset > firstDigit ? (isNegative ? -year : year, offset) : nil
  }

  /// Returns the date whose text after the year is in `range`, or nil if the text doesn't match `template`.
  ///
  /// In `template`, a zero matches any digit and a plus sign matches either sign. The date's fields may be out of
  /// range.
  @inline(__always)
  static func date(
    ofYear year: Int64, _ bytes: RawSpan, in range: Range<Int>, template: StaticString = "-00-00T00:00:00Z"
  ) -> GregorianDate? {
    guard range.count == template.utf8CodeUnitCount else { return nil }
    let start = range.lowerBound
    for index in 0..<template.utf8CodeUnitCount {
      let (byte, expected) = (bytes.byte(at: start + index), template.byte(at: index))
      let matches = expected == 0x30 ? byte &- 0x30 < 10 : byte == expected || expected == 0x2B && byte == 0x2D
      guard matches else { return nil }
    }
    func field(_ index: Int) -> Int { twoDigits(bytes, at: start + index) }
    return GregorianDate(
      year: year, month: field(1), day: field(4), hour: field(7), minute: field(10), second: field(13))
  }

  @inline(__always)
  static func twoDigits(_ bytes: RawSpan, at offset: Int) -> Int {
    Int(bytes.byte(at: offset) & 0x0F) * 10 + Int(bytes.byte(at: offset + 1) & 0x0F)
  }
}
