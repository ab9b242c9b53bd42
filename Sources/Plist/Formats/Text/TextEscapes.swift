/// Quoted strings in OpenStep and JSON text, with backslash escapes.
enum TextEscapes {
  /// Reads the escape at an offset, and returns the scalar and the offset after the escape.
  typealias Reader = (RawSpan, Int) throws(TextFailure) -> (UInt32, Int)

  /// Finds the end of the quoted string whose text starts at `start`, and checks the text.
  ///
  /// If `refusesControls` is true, unescaped control characters are an error.
  ///
  /// - Returns: The token of the text, and the offset of the closing quotation mark.
  static func scan(
    _ kind: PlistToken.Kind, _ bytes: RawSpan, from start: Int, quote: UInt8, refusesControls: Bool,
    escaped: PlistToken.Form, escape: Reader
  ) throws(TextFailure) -> (PlistToken, Int) {
    var offset = start
    var hasEscapes = false
    while true {
      offset = bytes.firstStop(from: offset, quote: quote, stopsAtControls: refusesControls)
      guard offset < bytes.byteCount else { throw TextFailure(.endOfInput, at: offset, detail: start - 1) }
      let byte = bytes.byte(at: offset)
      if byte == quote { break }
      guard byte == 0x5C else { throw TextFailure(.controlCharacter, at: offset) }
      hasEscapes = true
      (_, offset) = try escape(bytes, offset)
    }
    return (PlistToken(kind, hasEscapes ? escaped : .utf8, start..<offset), offset)
  }

  /// Decodes the text in `range`, which `scan` has checked, and appends it to `buffer`.
  static func decode(_ bytes: RawSpan, in range: Range<Int>, into buffer: inout ByteBuffer, escape: Reader) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let end = bytes.firstOffset(of: 0x5C, from: offset, to: range.upperBound)
      buffer.append(bytes.extracting(offset..<end))
      guard end < range.upperBound, let (scalar, next) = try? escape(bytes, end) else { return }
      let encoded = UTF8Scalar(scalar)
      buffer.append(word: encoded.word, width: encoded.count)
      offset = next
    }
  }

  /// Reads a UTF-16 code unit from up to four hexadecimal digits, returning nil if there are fewer than `least`.
  static func codeUnit(_ bytes: RawSpan, at offset: Int, least: Int) -> (UInt32, Int)? {
    var unit: UInt32 = 0
    var end = offset
    while end < min(bytes.byteCount, offset + 4), let digit = bytes.byte(at: end).hexadecimalValue {
      unit = unit << 4 | UInt32(digit)
      end += 1
    }
    return end - offset >= least ? (unit, end) : nil
  }

  /// Reads the escape for a UTF-16 code unit or a surrogate pair, such as `\uD83D\uDE00`.
  ///
  /// The escape begins with a backslash at `offset`, then `letter` (`u` or `U`) and at least `least` digits.
  static func scalar(
    _ bytes: RawSpan, at offset: Int, letter: UInt8, least: Int
  ) throws(TextFailure) -> (UInt32, Int) {
    guard let (high, end) = codeUnit(bytes, at: offset + 2, least: least) else {
      if bytes.byteCount - offset < 2 + least { throw TextFailure(.endOfInput, at: bytes.byteCount, detail: offset) }
      throw TextFailure(.invalidEscape, at: offset, detail: min(bytes.byteCount, offset + 2))
    }
    guard high & 0xF800 == 0xD800 else { return (high, end) }
    if high < 0xDC00, end + 2 <= bytes.byteCount, bytes.byte(at: end) == 0x5C, bytes.byte(at: end + 1) == letter,
      let (low, lowEnd) = codeUnit(bytes, at: end + 2, least: 4), low & 0xFC00 == 0xDC00
    {
      return (0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), lowEnd)
    }
    // If the input ends here, the second escape may still be completed.
    let rest = end..<bytes.byteCount
    if rest.count < 6,
      rest.allSatisfy({ index in
        let byte = bytes.byte(at: index)
        return switch index - end {
        case 0: byte == 0x5C
        case 1: byte == letter
        default: byte.hexadecimalValue != nil
        }
      })
    {
      throw TextFailure(.endOfInput, at: bytes.byteCount, detail: offset)
    }
    throw TextFailure(.unpairedSurrogate, at: offset, detail: end)
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit, or one of `_$/:.-`.
  ///
  /// An OpenStep string needs no quotation marks if it consists only of these characters.
  var isWordCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x2F, 0x3A, 0x2E, 0x2D: return true
    default: return false
    }
  }
}

extension RawSpan {
  /// Returns the offset of the first `quote`, backslash or, if `stopsAtControls` is true, control character from
  /// `start` on; `byteCount` if there is none.
  fileprivate func firstStop(from start: Int, quote: UInt8, stopsAtControls: Bool) -> Int {
    var offset = start
    while offset <= byteCount - 8 {
      let word = word(at: offset)
      var found = ByteSearch.matches(word, quote) | ByteSearch.matches(word, 0x5C)
      // Subtracting 0x20 sets the top bit of each byte below 0x20, but can borrow from the next byte, so only the
      // lowest set bit is reliable.
      if stopsAtControls { found |= (word &- ByteSearch.ones &* 0x20) & ~word & ByteSearch.highBits }
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < byteCount {
      let byte = byte(at: offset)
      if byte == quote || byte == 0x5C || stopsAtControls && byte < 0x20 { break }
      offset += 1
    }
    return offset
  }
}
