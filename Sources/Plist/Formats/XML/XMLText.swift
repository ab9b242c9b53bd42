/// Character data: text with references and CDATA sections.
enum XMLText {
  /// Checks the text from `start` to the next closing tag, and returns the text's form and the tag's offset.
  @inline(__always)
  static func scan(
    _ bytes: RawSpan, from start: Int, opened: Int
  ) throws(XMLFailure) -> (PlistToken.Form, Int) {
    let run = bytes.textSpan(from: start)
    if !run.hasReferences, run.end + 1 < bytes.byteCount, bytes.byte(at: run.end + 1) == 0x2F,
      bytes.byte(at: run.end) == 0x3C
    {
      guard run.hasNonASCII else { return (.ascii, run.end) }
      if let invalid = bytes.firstInvalidUTF8(in: start..<run.end) { throw XMLFailure(.invalidUTF8, at: invalid) }
      return (.utf8, run.end)
    }
    return try scanEscaped(bytes, from: start, opened: opened)
  }

  /// Returns the end of the text at `start`, checking references and CDATA sections but not UTF-8.
  static func end(_ bytes: RawSpan, from start: Int, opened: Int) throws(XMLFailure) -> Int {
    try scanEscaped(bytes, from: start, opened: opened, checksUTF8: false).1
  }

  @inline(never)
  private static func scanEscaped(
    _ bytes: RawSpan, from start: Int, opened: Int, checksUTF8: Bool = true
  ) throws(XMLFailure) -> (PlistToken.Form, Int) {
    var offset = start
    var hasMarkup = false
    var hasNonASCII = false
    while true {
      let run = bytes.textSpan(from: offset)
      hasNonASCII = hasNonASCII || run.hasNonASCII
      if run.hasReferences {
        hasMarkup = true
        var reference = bytes.firstOffset(of: 0x26, from: offset, to: run.end)
        while reference < run.end {
          (_, reference) = try XMLReference.read(bytes, at: reference)
          reference = bytes.firstOffset(of: 0x26, from: reference, to: run.end)
        }
      }
      guard run.end + 1 < bytes.byteCount else {
        if run.end < bytes.byteCount, bytes.byte(at: run.end) == 0 { throw XMLFailure(.nul, at: run.end) }
        throw XMLFailure(.endOfInput, at: bytes.byteCount, detail: opened)
      }
      guard bytes.byte(at: run.end) == 0x3C else { throw XMLFailure(.nul, at: run.end) }
      guard bytes.byte(at: run.end + 1) == 0x21 else {
        offset = run.end
        break
      }
      let section = run.end
      guard bytes.hasBytes("<![CDATA[", at: section) else {
        if bytes.isPrefix(of: "<![CDATA[", from: section) {
          throw XMLFailure(.endOfInput, at: bytes.byteCount, detail: opened)
        }
        throw XMLFailure(.elementInText, at: section, detail: opened)
      }
      hasMarkup = true
      offset = try XMLScanner.end(of: "]]>", bytes, from: section + 9, opened: section)
      hasNonASCII = hasNonASCII || !bytes.isASCII(in: section..<offset)
    }
    if hasNonASCII, checksUTF8, let invalid = bytes.firstInvalidUTF8(in: start..<offset) {
      throw XMLFailure(.invalidUTF8, at: invalid)
    }
    return (hasMarkup ? .escapedXML : hasNonASCII ? .utf8 : .ascii, offset)
  }

  /// Decodes the text in `range`, which ``scan(_:from:opened:)`` has checked, and appends it to `buffer`.
  ///
  /// If the text is in a mapped file that has changed since, the result may be wrong, but there is no error.
  static func decode(_ bytes: RawSpan, in range: Range<Int>, into buffer: inout ByteBuffer) {
    var offset = range.lowerBound
    // The offset of the next CDATA section, kept so that finding each one takes a single search for `<`.
    var section = bytes.firstOffset(of: 0x3C, from: offset, to: range.upperBound)
    while offset < range.upperBound {
      let plainEnd = bytes.firstOffset(of: 0x26, from: offset, to: section)
      buffer.append(bytes.extracting(offset..<plainEnd))
      offset = plainEnd
      guard offset < range.upperBound else { return }
      if bytes.byte(at: offset) == 0x3C {
        let start = min(offset + 9, range.upperBound)
        let next = try? XMLScanner.end(of: "]]>", bytes, from: start, opened: offset, allowsNUL: true)
        let end = max(start, min((next ?? .max) - 3, range.upperBound))
        buffer.append(bytes.extracting(start..<end))
        offset = end + 3
        section = bytes.firstOffset(of: 0x3C, from: offset, to: range.upperBound)
      } else {
        guard let (scalar, end) = try? XMLReference.read(bytes, at: offset) else { return }
        let encoded = UTF8Scalar(scalar)
        buffer.append(word: encoded.word, width: encoded.count)
        offset = end
      }
    }
  }

  /// Whether the dictionary content at `start` might begin with the key `CF$UID`.
  @inline(__always)
  static func mayBeginWithUIDKey(_ bytes: RawSpan, from start: Int) throws(XMLFailure) -> Bool {
    let tag = XMLScanner.skipSpace(bytes, from: start)
    guard tag + 6 < bytes.byteCount else { return true }
    guard bytes.hasBytes("<key>", at: tag) else { return bytes.byte(at: tag + 1) != 0x2F }
    switch bytes.byte(at: tag + 5) {
    case 0x43:
      let run = bytes.textSpan(from: tag + 5)
      guard run.end + 1 < bytes.byteCount, bytes.byte(at: run.end + 1) == 0x2F, !run.hasReferences else { return true }
      return bytes.hasBytes("CF$UID<", at: tag + 5)
    case 0x26, 0x3C: return true
    default: return false
    }
  }
}

/// Entity and character references: `&amp;`, `&#233;`, `&#xE9;`.
enum XMLReference {
  static func read(_ bytes: RawSpan, at offset: Int) throws(XMLFailure) -> (UInt32, Int) {
    if bytes.hasBytes("&amp;", at: offset) { return (0x26, offset + 5) }
    if bytes.hasBytes("&lt;", at: offset) { return (0x3C, offset + 4) }
    if bytes.hasBytes("&gt;", at: offset) { return (0x3E, offset + 4) }
    if bytes.hasBytes("&quot;", at: offset) { return (0x22, offset + 6) }
    if bytes.hasBytes("&apos;", at: offset) { return (0x27, offset + 6) }
    // The longest reference is `&#x`, eight digits as in Apple's reader, and `;`.
    let bound = min(offset + 12, bytes.byteCount)
    var end = offset + 1
    while end < bound, bytes.byte(at: end) != 0x3B, bytes.byte(at: end) != 0x3C { end += 1 }
    let invalid = XMLFailure(.invalidReference, at: offset, detail: end)
    guard end < bound else {
      if bound == bytes.byteCount { throw XMLFailure(.endOfInput, at: bytes.byteCount, detail: offset) }
      throw invalid
    }
    guard bytes.byte(at: end) == 0x3B, bytes.byte(at: offset + 1) == 0x23 else { throw invalid }
    let isHexadecimal = bytes.byte(at: offset + 2) == 0x78
    let first = offset + (isHexadecimal ? 3 : 2)
    guard first < end, end - first <= 8 else { throw invalid }
    var value: UInt32 = 0
    for index in first..<end {
      guard let digit = XMLNumber.digit(bytes.byte(at: index), isHexadecimal: isHexadecimal) else { throw invalid }
      value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
      guard value <= 0x10FFFF else { throw invalid }
    }
    guard value != 0 else { throw XMLFailure(.nulReference, at: offset) }
    guard value & 0xFFFFF800 != 0xD800 else { throw invalid }
    return (value, end + 1)
  }
}
