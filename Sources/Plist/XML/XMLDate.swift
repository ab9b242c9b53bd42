/// The dates of XML property lists: `-?Y+-MM-DDThh:mm:ssZ`, nothing before or behind.
enum XMLDate {
  /// Reads a date; returns it, and the offset of the `<` that ends it.
  static func read(_ bytes: RawSpan, from start: Int) throws(XMLFailure) -> (PlistToken, Int) {
    let end = bytes.firstOffset(of: 0x3C, from: start)
    // Other markup than the closing tag, and what is cut off, is for the caller to find.
    guard end + 1 < bytes.byteCount, bytes.byte(at: end + 1) == 0x2F else { return (PlistToken(.date), end) }
    let malformed = XMLFailure(.invalidDate, at: start, detail: end)
    var offset = start
    let isNegative = bytes.byte(at: offset) == 0x2D
    if isNegative { offset += 1 }
    let firstDigit = offset
    var year = 0
    while offset < end, bytes.byte(at: offset) &- 0x30 < 10 {
      if year < GregorianDate.years.upperBound { year = year * 10 + Int(bytes.byte(at: offset) - 0x30) }
      offset += 1
    }
    // -MM-DDThh:mm:ssZ
    guard offset > firstDigit, end - offset == 16 else { throw malformed }
    let separators: StaticString = "-00-00T00:00:00Z"
    for index in 0..<16 {
      let byte = bytes.byte(at: offset + index)
      let expected = separators.byte(at: index)
      guard expected == 0x30 ? byte &- 0x30 < 10 : byte == expected else { throw malformed }
    }
    func field(_ index: Int) -> Int {
      Int(bytes.byte(at: offset + index) - 0x30) * 10 + Int(bytes.byte(at: offset + index + 1) - 0x30)
    }
    let date = GregorianDate(
      year: isNegative ? -year : year, month: field(1), day: field(4), hour: field(7), minute: field(10),
      second: field(13))
    guard date.isValid else { throw XMLFailure(.dateFieldOutOfRange, at: start, detail: end) }
    let tooFar = XMLFailure(.dateTooFar, at: start, detail: end)
    guard GregorianDate.years.contains(date.year) else { throw tooFar }
    let seconds = Double(date.secondsSinceReference)
    guard seconds.magnitude <= GregorianDate.furthest else { throw tooFar }
    return (PlistToken(.date, bits: seconds.bitPattern), end)
  }
}
