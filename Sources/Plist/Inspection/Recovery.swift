extension XMLReader {
  mutating func recover(from failure: XMLFailure, in bytes: RawSpan) -> Bool {
    switch failure.reason {
    case .missingValue:
      top.hasKey = false
      return true
    case .missingKey:
      top.key = PlistToken(.key, .ascii, failure.offset..<failure.offset)
      top.hasKey = true
      return true
    case .unexpectedText:
      offset = bytes.firstOffset(of: 0x3C, from: failure.offset)
      return offset < bytes.byteCount
    case _ where failure.reason.element != nil,
      .textInBoolean, .invalidUTF8, .invalidReference, .nulReference, .invalidUID, .unknownElement:
      return skipElement(bytes, holdingOthers: failure.reason == .unknownElement || failure.reason == .invalidUID)
    default: return false
    }
  }

  private mutating func skipElement(_ bytes: RawSpan, holdingOthers: Bool) -> Bool {
    let start = XMLScanner.skipSpace(bytes, from: offset)
    guard start + 1 < bytes.byteCount, bytes.byte(at: start) == 0x3C else { return false }
    let tagEnd = bytes.firstOffset(of: 0x3E, from: start)
    var nameEnd = start + 1
    while nameEnd < tagEnd, !XMLScanner.isSpace(bytes.byte(at: nameEnd)), bytes.byte(at: nameEnd) != 0x2F {
      nameEnd += 1
    }
    guard tagEnd < bytes.byteCount, nameEnd > start + 1 else { return false }
    var end = tagEnd + 1
    if bytes.byte(at: tagEnd - 1) != 0x2F {
      guard let close = closingTag(named: start + 1..<nameEnd, bytes, from: end, passingOthers: holdingOthers)
      else { return false }
      end = bytes.firstOffset(of: 0x3E, from: close) + 1
    }
    guard end <= bytes.byteCount else { return false }
    if completeElement(from: start, to: end) {
      // If a key or the end of the dictionary follows, the skipped element was in place of a whole pair.
      let next = XMLScanner.skipSpace(bytes, from: end)
      if bytes.hasBytes("<key", at: next) || bytes.hasBytes("</", at: next) { top.hasKey = false }
    }
    return true
  }

  /// Returns the offset of an element's closing tag, or nil if the element's end is unclear.
  ///
  /// It is unclear if an opening tag of the same name comes first or, unless `passingOthers` is true, another closing
  /// tag.
  private func closingTag(
    named name: Range<Int>, _ bytes: RawSpan, from start: Int, passingOthers: Bool
  ) -> Int? {
    var offset = bytes.firstOffset(of: 0x3C, from: start)
    while offset + name.count + 2 < bytes.byteCount {
      let isClosing = bytes.byte(at: offset + 1) == 0x2F
      let found = offset + (isClosing ? 2 : 1)
      let behind = bytes.byte(at: found + name.count)
      if behind == 0x3E || XMLScanner.isSpace(behind),
        bytes.hasSameBytes(at: found, as: bytes, in: name)
      {
        return isClosing ? offset : nil
      }
      if isClosing, !passingOthers { return nil }
      offset = bytes.firstOffset(of: 0x3C, from: offset + 1)
    }
    return nil
  }
}

extension BinaryReader {
  mutating func recover(from failure: BinaryFailure, in bytes: RawSpan) -> Bool {
    switch failure.reason {
    // Reading ends when a limit is exceeded, because everything that follows would exceed it too.
    case .depth, .tooManyValues, .repeatedLongKeys: false
    default: skip()
    }
  }
}
