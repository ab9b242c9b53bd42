/// The lexical grammar of OpenStep text, as functions of the bytes and an offset.
enum OpenStepScanner {
  /// Whether the byte is a space or a control character from tab (0x09) to CR (0x0D).
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }

  /// Returns the offset after any white space and comments.
  ///
  /// As in Apple's reader, a comment that is not closed extends to the end of the document.
  static func skipSpace(_ bytes: RawSpan, from start: Int) -> Int {
    var offset = start
    while offset < bytes.byteCount {
      let byte = bytes.byte(at: offset)
      if isSpace(byte) {
        offset += 1
      } else if byte == 0x2F || byte == 0xE2, let end = skipUncommon(bytes, at: offset) {
        offset = end
      } else {
        break
      }
    }
    return offset
  }

  /// Returns the offset after a comment, line separator or paragraph separator; nil for anything else.
  private static func skipUncommon(_ bytes: RawSpan, at offset: Int) -> Int? {
    if isSeparator(bytes, at: offset) { return offset + 3 }
    if bytes.hasBytes("//", at: offset) { return endOfLine(bytes, from: offset + 2) }
    guard bytes.hasBytes("/*", at: offset) else { return nil }
    var end = offset + 2
    while true {
      end = bytes.firstOffset(of: 0x2A, from: end)
      guard end + 1 < bytes.byteCount else { return bytes.byteCount }
      end += 1
      if bytes.byte(at: end) == 0x2F { return end + 1 }
    }
  }

  /// Returns the offset after a white space character at `offset`, if there is one.
  static func spaceEnd(_ bytes: RawSpan, at offset: Int) -> Int? {
    if isSeparator(bytes, at: offset) { return offset + 3 }
    return isSpace(bytes.byte(at: offset)) ? offset + 1 : nil
  }

  /// Returns the offset after a comment at `offset`, if one begins there.
  static func commentEnd(_ bytes: RawSpan, at offset: Int) -> Int? {
    isSeparator(bytes, at: offset) ? nil : skipUncommon(bytes, at: offset)
  }

  /// Whether the text consists of white space and comments, the last of which is not closed.
  static func endsInOpenComment(_ bytes: RawSpan) -> Bool {
    var (last, offset) = (0, 0)
    while offset < bytes.byteCount {
      last = offset
      guard isSpace(bytes.byte(at: offset)) else {
        guard let end = skipUncommon(bytes, at: offset) else { return false }
        offset = end
        continue
      }
      offset += 1
    }
    let isClosed = offset - last >= 4 && bytes.hasBytes("*/", at: offset - 2)
    return bytes.hasBytes("/*", at: last) && !isClosed
  }

  private static func endOfLine(_ bytes: RawSpan, from start: Int) -> Int {
    var offset = start
    while offset < bytes.byteCount {
      let byte = bytes.byte(at: offset)
      if byte == 0x0A || byte == 0x0D || byte == 0xE2 && isSeparator(bytes, at: offset) { break }
      offset += 1
    }
    return offset
  }

  private static func isSeparator(_ bytes: RawSpan, at offset: Int) -> Bool {
    bytes.hasBytes("\u{2028}", at: offset) || bytes.hasBytes("\u{2029}", at: offset)
  }

  static func string(
    _ kind: PlistToken.Kind, _ bytes: RawSpan, at start: Int
  ) throws(TextFailure) -> (PlistToken, Int)? {
    let quote = bytes.byte(at: start)
    if quote == 0x22 || quote == 0x27 {
      let (token, end) = try TextEscapes.scan(
        kind, bytes, from: start + 1, quote: quote, refusesControls: false, escaped: .escapedOpenStep,
        escape: OpenStepEscape.read)
      return (token, end + 1)
    }
    var end = start
    while end < bytes.byteCount, bytes.byte(at: end).isWordCharacter { end += 1 }
    return end > start ? (PlistToken(kind, .ascii, start..<end), end) : nil
  }
}

enum OpenStepEscape {
  /// Reads the escape at `offset`, ignoring a backslash that doesn't begin an escape.
  static func read(_ bytes: RawSpan, at offset: Int) throws(TextFailure) -> (UInt32, Int) {
    guard offset + 1 < bytes.byteCount else { throw TextFailure(.endOfInput, at: bytes.byteCount, detail: offset) }
    let byte = bytes.byte(at: offset + 1)
    switch byte {
    case 0x61: return (0x07, offset + 2)
    case 0x62: return (0x08, offset + 2)
    case 0x66: return (0x0C, offset + 2)
    case 0x6E: return (0x0A, offset + 2)
    case 0x72: return (0x0D, offset + 2)
    case 0x74: return (0x09, offset + 2)
    case 0x76: return (0x0B, offset + 2)
    case 0x30...0x37: return octal(bytes, at: offset)
    case 0x55: return try TextEscapes.scalar(bytes, at: offset, letter: 0x55, least: 1)
    case 0x80...:
      // The text is valid UTF-8, so the whole scalar is there.
      let scalar = String(utf8: bytes, in: offset + 1..<min(bytes.byteCount, offset + 5)).unicodeScalars.first
      let value = scalar?.value ?? 0xFFFD
      return (value, offset + 1 + UTF8Scalar(value).count)
    default: return (UInt32(byte), offset + 2)
    }
  }

  /// Reads the escape at `offset` like ``read(_:at:)``, but if it is malformed, returns the closest scalar and the
  /// failure.
  ///
  /// A letter without its digits is taken literally, and half a surrogate pair becomes U+FFFD.
  static func readLeniently(
    _ bytes: RawSpan, at offset: Int
  ) throws(TextFailure) -> (UInt32, Int, TextFailure?) {
    do {
      let (scalar, end) = try read(bytes, at: offset)
      return (scalar, end, nil)
    } catch {
      switch error.reason {
      case .invalidEscape: return (UInt32(bytes.byte(at: offset + 1)), offset + 2, error)
      case .unpairedSurrogate: return (0xFFFD, error.detail, error)
      default: throw error
      }
    }
  }

  /// Reads an octal escape, whose low eight bits are a byte in the NeXTSTEP code page.
  private static func octal(_ bytes: RawSpan, at offset: Int) -> (UInt32, Int) {
    var value: UInt32 = 0
    var end = offset + 1
    while end < min(bytes.byteCount, offset + 4), bytes.byte(at: end) & 0xF8 == 0x30 {
      value = value << 3 | UInt32(bytes.byte(at: end) & 7)
      end += 1
    }
    return (UInt32(NextStepEncoding.scalar(UInt8(truncatingIfNeeded: value))), end)
  }
}
