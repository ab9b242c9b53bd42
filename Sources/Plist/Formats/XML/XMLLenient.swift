#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads malformed XML as Foundation does.
///
/// Each function reads a construct that `XMLReader` has rejected, and returns the value that `CFPropertyList` in
/// swift-corelibs-foundation gives it, or throws if Foundation rejects it too.
enum XMLLenient {
  /// Reads the opening tag at `offset`, which ends at the first `>`, even one inside an attribute value.
  static func openTag(_ bytes: RawSpan, at offset: Int) throws(XMLFailure) -> XMLTag {
    let end = bytes.firstOffset(of: 0x3E, from: offset)
    guard end < bytes.byteCount else { throw XMLFailure(.endOfInput, at: end, detail: offset) }
    var nameEnd = offset + 1
    while nameEnd < end, !XMLScanner.isSpace(bytes.byte(at: nameEnd)) { nameEnd += 1 }
    return try XMLScanner.openTag(bytes, at: offset, nameEnd: nameEnd < end ? nameEnd : -1, end: end)
  }

  /// Returns the offset after the comment, instruction or document type at `offset`, allowing NUL in it.
  ///
  /// Foundation takes `<?>` as a complete instruction inside the property list, but only as the start of one before it.
  static func markupEnd(_ bytes: RawSpan, at offset: Int, isBeforeRoot: Bool) throws(XMLFailure) -> Int {
    if bytes.byte(at: offset + 1) == 0x3F {
      return try XMLScanner.end(
        of: "?>", bytes, from: offset + (isBeforeRoot ? 2 : 1), opened: offset, allowsNUL: true)
    }
    if bytes.hasBytes("<!--", at: offset) {
      return try XMLScanner.end(
        of: "-->", bytes, from: offset + (isBeforeRoot ? 5 : 4), opened: offset, allowsNUL: true)
    }
    guard isBeforeRoot, bytes.hasBytes("<!DOCTYPE", at: offset) else {
      throw XMLFailure(.misplacedDeclaration, at: offset)
    }
    let end = try XMLScanner.end(of: ">", bytes, from: offset, opened: offset, allowsNUL: true)
    let bracket = bytes.firstOffset(of: 0x5B, from: offset, to: end)
    guard bracket == end else { throw XMLFailure(.internalSubset, at: bracket) }
    return end
  }

  /// Text that was read despite its faults.
  struct Text {
    var text: String
    /// The offset of the `<` after the text.
    var end: Int
    /// The first faults, up to a limit; ``text`` contains one character for each.
    var faults: [XMLFailure] = []
    /// The total number of faults.
    var faultCount = 0
  }

  /// Reads text, allowing NUL and references to NUL.
  ///
  /// An A9 byte that is not valid UTF-8 becomes U+FFFD, because it is the only invalid byte that Foundation accepts. At
  /// most `limit` faults are listed.
  static func text(_ bytes: RawSpan, from start: Int, opened: Int, limit: Int) throws(XMLFailure) -> Text {
    var result = Text(text: "", end: start)
    var buffer = ByteBuffer()
    func note(_ failure: XMLFailure) {
      result.faultCount += 1
      if result.faults.count < limit { result.faults.append(failure) }
    }
    var offset = start
    var sectionEnd = start
    while true {
      guard offset < bytes.byteCount else { throw XMLFailure(.endOfInput, at: bytes.byteCount, detail: opened) }
      let byte = bytes.byte(at: offset)
      let isInSection = offset < sectionEnd
      switch byte {
      case 0x5D where isInSection && offset == sectionEnd - 3: offset = sectionEnd
      case 0x3C where !isInSection:
        guard offset + 1 < bytes.byteCount, bytes.byte(at: offset + 1) == 0x21 else {
          result.text = buffer.withSpan { String(utf8: $0, in: 0..<$0.byteCount) }
          result.end = offset
          return result
        }
        guard bytes.hasBytes("<![CDATA[", at: offset) else { throw XMLFailure(.elementInText, at: offset) }
        sectionEnd = try XMLScanner.end(of: "]]>", bytes, from: offset + 9, opened: offset, allowsNUL: true)
        offset += 9
      case 0x26 where !isInSection:
        let (scalar, end, failure) = try reference(bytes, at: offset)
        if let failure { note(failure) }
        let encoded = UTF8Scalar(scalar)
        buffer.append(word: encoded.word, width: encoded.count)
        offset = end
      case 0x80...:
        let bound = min(offset + 4, bytes.byteCount)
        if bytes.firstInvalidUTF8(in: offset..<bound) == offset {
          let failure = XMLFailure(.invalidUTF8, at: offset)
          guard byte == 0xA9 else { throw failure }
          note(failure)
          buffer.append("\u{FFFD}" as StaticString)
          offset += 1
        } else {
          let end = min(bytes.byteCount, offset + (byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4))
          buffer.append(bytes.extracting(offset..<end))
          offset = end
        }
      default:
        if byte == 0 { note(XMLFailure(.nul, at: offset)) }
        buffer.append(byte)
        offset += 1
      }
    }
  }

  /// Reads the reference at `offset`, and returns the scalar, the offset after the reference, and the failure that was
  /// ignored, if any.
  private static func reference(_ bytes: RawSpan, at offset: Int) throws(XMLFailure) -> (UInt32, Int, XMLFailure?) {
    do {
      let (scalar, end) = try XMLReference.read(bytes, at: offset)
      return (scalar, end, nil)
    } catch {
      // Foundation reads `&#;` and `&#x;` as NUL too.
      guard error.reason == .nulReference || bytes.hasBytes("&#;", at: offset) || bytes.hasBytes("&#x;", at: offset)
      else { throw error }
      return (0, bytes.firstOffset(of: 0x3B, from: offset) + 1, error)
    }
  }

  /// Reads an integer after anything Foundation treats as white space, and returns its token and the offset after it.
  static func integer(_ bytes: RawSpan, from start: Int) throws(XMLFailure) -> (PlistToken, Int) {
    var offset = skipIntegerSpace(bytes, from: start)
    var isNegative = false
    if offset < bytes.byteCount, bytes.byte(at: offset) == 0x2D || bytes.byte(at: offset) == 0x2B {
      isNegative = bytes.byte(at: offset) == 0x2D
      offset = skipIntegerSpace(bytes, from: offset + 1)
    }
    let invalid = XMLFailure(.invalidInteger, at: start, detail: bytes.firstOffset(of: 0x3C, from: start))
    guard offset < bytes.byteCount, bytes.byte(at: offset) &- 0x30 < 10 else { throw invalid }
    let (token, end) = try XMLNumber.integer(bytes, from: offset)
    guard isNegative, token.first > 0 else { return (token, end) }
    guard token.first <= 1 << 63 else { throw XMLFailure(.integerOverflow, at: start, detail: end) }
    return (PlistToken(.negativeInteger, bits: 0 &- token.first), end)
  }

  /// Returns the offset of the first byte that Foundation does not skip before an integer's digits.
  ///
  /// Foundation skips control characters, spaces, and the bytes 7F to A0. For some Unicode spaces, it skips only the
  /// first byte and then treats the next one like any other.
  private static func skipIntegerSpace(_ bytes: RawSpan, from start: Int) -> Int {
    var offset = start
    while offset < bytes.byteCount {
      let byte = bytes.byte(at: offset)
      guard byte < 0x21 || 0x7F...0xA0 ~= byte || beginsWideSpace(bytes, at: offset) else { break }
      offset += 1
    }
    return offset
  }

  private static func beginsWideSpace(_ bytes: RawSpan, at offset: Int) -> Bool {
    guard bytes.byteCount - offset >= 3 else { return false }
    let third = bytes.byte(at: offset + 2)
    switch (bytes.byte(at: offset), bytes.byte(at: offset + 1)) {
    case (0xE2, 0x80): return 0x50...0x8B ~= third || third == 0xAF
    case (0xE2, 0x81): return third == 0x9F
    case (0xE3, 0x80): return third == 0x80
    default: return false
    }
  }

  /// Reads a real after anything Foundation treats as white space, and returns its token and the offset after it.
  static func real(_ bytes: RawSpan, from start: Int, opened: Int) throws(XMLFailure) -> (PlistToken, Int) {
    let read = try text(bytes, from: start, opened: opened, limit: 0)
    let digits = read.text.unicodeScalars.drop { isSpace($0.value) }
    let value = Array(String(digits).utf8).withByteSpan { DecimalNumber($0, in: 0..<$0.byteCount)?.value }
    guard let value else { throw XMLFailure(.invalidReal, at: start, detail: read.end) }
    return (PlistToken(.real, bits: value.bitPattern), read.end)
  }

  /// Whether Foundation skips `scalar` before a real.
  private static func isSpace(_ scalar: UInt32) -> Bool {
    scalar < 0x21 || 0x7F...0xA0 ~= scalar || 0x2000...0x200B ~= scalar || scalar == 0x3000
  }

  /// Reads a date whose fields after the year may be any two digits, and returns its token and the offset after it.
  static func date(_ bytes: RawSpan, from start: Int) throws(XMLFailure) -> (PlistToken, Int) {
    let end = bytes.firstOffset(of: 0x3C, from: start)
    let invalid = XMLFailure(.invalidDate, at: start, detail: end)
    var offset = start
    let isNegative = offset < end && bytes.byte(at: offset) == 0x2D
    if isNegative { offset += 1 }
    let firstDigit = offset
    var year: Int64 = 0
    while offset < end, bytes.byte(at: offset) &- 0x30 < 10 {
      year = year * 10 + Int64(bytes.byte(at: offset) & 0x0F)
      // Foundation keeps years in 32 bits without checking for overflow.
      guard year <= GregorianDate.years.upperBound else { throw XMLFailure(.dateTooFar, at: start, detail: end) }
      offset += 1
    }
    // Foundation reads a minus sign without digits as the year 0.
    guard offset > firstDigit || isNegative,
      let date = XMLDate.date(ofYear: isNegative ? -year : year, bytes, in: offset..<end)
    else { throw invalid }
    return (PlistToken(.date, bits: date.foundationSeconds.bitPattern), end)
  }

  /// Decodes base64 as Foundation does, and returns the data and the offset after it.
  ///
  /// ASCII characters other than digits are skipped, `=` counts as the digit 0, and digits after the last complete
  /// group of four are dropped.
  static func data(_ bytes: RawSpan, from start: Int) throws(XMLFailure) -> (Data, Int) {
    var buffer = ByteBuffer()
    var bits: UInt32 = 0
    var digits = 0
    // The number of `=` since the last character other than `=` and white space.
    var padding = 0
    var offset = start
    while offset < bytes.byteCount, bytes.byte(at: offset) != 0x3C {
      let byte = bytes.byte(at: offset)
      guard byte < 0x80 else { throw XMLFailure(.base64Character, at: offset) }
      offset += 1
      if byte == 0x3D {
        padding += 1
      } else if byte != 0x20, !(0x09...0x0D ~= byte) {
        padding = 0
      }
      guard byte == 0x3D || Base64.isDigit(byte) else { continue }
      bits = bits << 6 | (byte == 0x3D ? 0 : UInt32(Base64.value(of: byte)))
      digits += 1
      guard digits % 4 == 0 else { continue }
      buffer.append(UInt8(truncatingIfNeeded: bits >> 16))
      if padding < 2 { buffer.append(UInt8(truncatingIfNeeded: bits >> 8)) }
      if padding < 1 { buffer.append(UInt8(truncatingIfNeeded: bits)) }
    }
    return (buffer.data(), offset)
  }
}

extension GregorianDate {
  /// The seconds since 2001-01-01T00:00:00Z that Foundation computes, even if fields are out of range.
  ///
  /// Month 13 begins after month 12 of the same year, and any other invalid month begins on the first day of the year.
  fileprivate var foundationSeconds: Double {
    let beginning = GregorianDate(year: year, month: 1, day: 1, hour: 0, minute: 0, second: 0)
    var day = Int64(day - 1)
    if 2...12 ~= month {
      var other = beginning
      other.month = month
      day += (other.secondsSinceReference - beginning.secondsSinceReference) / 86_400
    } else if month == 13 {
      var next = beginning
      next.year += 1
      day += (next.secondsSinceReference - beginning.secondsSinceReference) / 86_400
    }
    let days = Double(beginning.secondsSinceReference / 86_400 + day)
    return 86_400 * days + Double(hour * 3600 + minute * 60 + second)
  }
}
