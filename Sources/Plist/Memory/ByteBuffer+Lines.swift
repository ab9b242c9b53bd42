/// Functions that append a line of XML: tabs, an opening tag, content and a closing tag.
///
/// Memory is reserved once for the whole line.
extension ByteBuffer {
  /// Calls `body` to write a line of `tabs` tabs and at most `size` other bytes; neither number is negative.
  @inline(__always)
  private mutating func writeLine(_ tabs: Int, _ size: Int, _ body: (inout ByteCursor) -> Void) {
    precondition(tabs >= 0, "a negative number of tabs")
    write(upTo: tabs + size, body)
  }

  /// Appends a line that consists of tabs and the constant `literal`.
  @inline(__always)
  mutating func appendLine(tabs: Int, _ literal: StaticString) {
    writeLine(tabs, literal.utf8CodeUnitCount) { cursor in
      // Sound: capacity was reserved for the tabs and the literal together.
      unsafe cursor.put(uncheckedTabs: tabs)
      unsafe cursor.put(unchecked: literal)
    }
  }

  /// Appends a copy of a line in `lines`; at least ``ByteCursor/slack`` bytes must follow that line in `lines`.
  @inline(__always)
  mutating func appendLine(tabs: Int, _ line: Range<Int>, of lines: borrowing ByteBuffer) {
    lines.withSpan { bytes in
      writeLine(tabs, line.count) { cursor in
        // Sound: capacity was reserved for the whole line, and the tabs are its first part.
        unsafe cursor.put(uncheckedTabs: tabs)
        cursor.put(words: bytes, in: line)
      }
    }
  }

  /// Appends a line whose content takes at most `size` bytes.
  @inline(__always)
  mutating func appendLine(
    tabs: Int, _ open: StaticString, upTo size: Int, _ close: StaticString, content: (inout ByteCursor) -> Void
  ) {
    precondition(size >= 0)
    writeLine(tabs, open.utf8CodeUnitCount + size + close.utf8CodeUnitCount) { cursor in
      // Sound: capacity was reserved for the whole line, and the tabs are its first part.
      unsafe cursor.put(uncheckedTabs: tabs)
      unsafe cursor.put(unchecked: open)
      content(&cursor)
      cursor.put(close)
    }
  }

  /// Appends a line of text in which `&`, `<`, `>` and, unless `escapesReturns` is false, CR become references.
  ///
  /// - Returns: Whether the text has a NUL, which XML cannot represent. If the text has a NUL, the appended bytes are
  ///   invalid.
  @inline(__always)
  mutating func appendLine(
    tabs: Int, _ open: StaticString, escaping text: RawSpan, escapesReturns: Bool, _ close: StaticString
  ) -> Bool {
    let length = text.byteCount
    var done = 0
    writeLine(tabs, length + (open.utf8CodeUnitCount + close.utf8CodeUnitCount)) { cursor in
      // Sound: capacity was reserved for the whole line, and the tabs are its first part.
      unsafe cursor.put(uncheckedTabs: tabs)
      unsafe cursor.put(unchecked: open)
      done = cursor.put(plain: text)
      if done == length { cursor.put(close) }
    }
    if done == length { return false }
    if append(escapingXML: text, from: done, escapesReturns: escapesReturns) { return true }
    append(close)
    return false
  }

  /// Appends a line of text in which `&`, `<`, `>` and, unless `escapesReturns` is false, CR become references.
  ///
  /// The bytes are copied first, and the copy is searched for special characters. If the copy has special characters,
  /// or the string is not stored as UTF-8, the line is written again.
  ///
  /// - Returns: Whether the text has a NUL, which XML cannot represent. If the text has a NUL, the appended bytes are
  ///   invalid.
  @inline(__always)
  mutating func appendLine(
    tabs: Int, _ open: StaticString, escaping text: String, escapesReturns: Bool, _ close: StaticString
  ) -> Bool {
    let length = text.utf8.count
    let start = count
    var isPlain = false
    writeLine(tabs, length + (open.utf8CodeUnitCount + close.utf8CodeUnitCount)) { cursor in
      // All four calls are sound: the line consists of these parts, and capacity was reserved for all parts.
      unsafe cursor.put(uncheckedTabs: tabs)
      unsafe cursor.put(unchecked: open)
      isPlain = unsafe cursor.put(uncheckedPlain: text, count: length)
      unsafe cursor.put(unchecked: close)
    }
    if isPlain { return false }
    return appendLine(
      replacing: start, tabs: tabs, open, escaping: text, escapesReturns: escapesReturns, close)
  }

  @inline(never)
  private mutating func appendLine(
    replacing start: Int, tabs: Int, _ open: StaticString, escaping text: String, escapesReturns: Bool,
    _ close: StaticString
  ) -> Bool {
    truncate(to: start)
    return text.withByteSpan {
      appendLine(tabs: tabs, open, escaping: $0, escapesReturns: escapesReturns, close)
    }
  }

  /// Appends the text from `start` on, with `&`, `<`, `>` and, if `escapesReturns` is true, CR written as references.
  ///
  /// - Returns: Whether the text has a NUL, which XML cannot represent. If the text has a NUL, the appended bytes are
  ///   invalid.
  @inline(never)
  private mutating func append(escapingXML text: RawSpan, from start: Int, escapesReturns: Bool) -> Bool {
    var offset = start
    while offset < text.byteCount {
      switch text.byte(at: offset) {
      case 0x26: append("&amp;")
      case 0x3C: append("&lt;")
      case 0x3E: append("&gt;")
      case 0x0D where escapesReturns: append("&#13;")
      case 0: return true
      case let byte: append(byte)
      }
      let rest = text.extracting((offset + 1)...)
      write(upTo: rest.byteCount) { offset += 1 + $0.put(plain: rest) }
    }
    return false
  }
}

extension ByteCursor {
  /// Puts the `count` bytes of `text`, and returns whether the text has exactly `count` bytes and no special byte.
  ///
  /// - Precondition: There is capacity for `count` more bytes.
  @inline(__always)
  @unsafe fileprivate mutating func put(uncheckedPlain text: String, count: Int) -> Bool {
    // The bytes after the text are 0xFF, which is not special. Sound: by the precondition, there is capacity for the
    // text.
    guard unsafe put(uncheckedUTF8: text, count: count, before: ~0) else { return false }
    var offset = -count
    while offset < 0 {
      // Sound: the pair is within the bytes just put and the sixteen bytes stored after them.
      if Self.hasSpecialBytes(unsafe pair(at: offset)) { return false }
      offset &+= 16
    }
    return true
  }

  /// Puts the bytes of `text` before the first special byte, and returns their number.
  ///
  /// The special bytes are `&`, `<`, `>`, NUL and CR. The function also stops at TAB and five other control characters,
  /// which the caller writes unchanged.
  @inline(__always)
  fileprivate mutating func put(plain text: RawSpan) -> Int {
    let count = text.byteCount
    var offset = 0
    // The loop copies pairs of words up to the first pair with a special byte. The code after the loop copies the rest
    // as a pair that overlaps the pair before it.
    while offset <= count &- 16 {
      let pair = text.wordPair(at: offset)
      if Self.hasSpecialBytes(pair) { break }
      // Sound: all sixteen bytes of the pair are put, so the precondition on the other bytes of the pair does not
      // apply.
      unsafe put(endOf: pair)
      offset &+= 16
    }
    if offset > 0, offset > count &- 16 {
      if offset == count { return count }
      let pair = text.wordPair(at: count &- 16)
      if !Self.hasSpecialBytes(pair) {
        // Sound: the bytes of the pair before `offset` have been put, by the loop above.
        unsafe put(endOf: pair, width: count &- offset)
        return count
      }
    }
    while offset <= count &- 8 {
      // Sound: the word is within the text, by the condition of the loop.
      let word = unsafe text.uncheckedWord(at: offset)
      let found = Self.specialBytes(word)
      if found != 0 {
        let plain = found.trailingZeroBitCount / 8
        put(word: word, width: plain)
        return offset &+ plain
      }
      put(word: word)
      offset &+= 8
    }
    let left = count &- offset
    if left == 0 { return count }
    if offset > 0 {
      // The last word includes bytes that have been put before. Those bytes are plain, so a special byte in the word
      // has not been put yet.
      let word = text.word(at: count &- 8)
      if Self.specialBytes(word) == 0 {
        // Sound: at least eight bytes have been put, so they include the bytes of the word before `offset`.
        unsafe put(endOf: word, width: left)
        return count
      }
    }
    // The bytes after the text become 0xFF, which is not special.
    let word = text.lastWord(of: left) | ~0 << UInt64(8 * left)
    let plain = min(left, Self.specialBytes(word).trailingZeroBitCount / 8)
    put(word: word, width: plain)
    return offset + plain
  }

  /// Whether ``put(plain:)`` stops at a byte of `pair`.
  @inline(__always)
  private static func hasSpecialBytes(_ pair: SIMD2<UInt64>) -> Bool {
    // The test of `specialBytes(_:)` is applied to both words at once, because the two lanes are independent.
    let ones = SIMD2(repeating: ByteSearch.ones)
    let ampersand = pair ^ SIMD2(repeating: ByteSearch.ones &* 0x26)
    let angle = (pair | SIMD2(repeating: 0x0202_0202_0202_0202)) ^ SIMD2(repeating: ByteSearch.ones &* 0x3E)
    let control = pair & SIMD2(repeating: controlMask)
    let found = (ampersand &- ones) & ~ampersand | (angle &- ones) & ~angle | (control &- ones) & ~control
    return (found.x | found.y) & ByteSearch.highBits != 0
  }

  /// Returns a word with the top bit set in each byte of `word` at which ``put(plain:)`` stops; only the lowest set bit
  /// is reliable.
  @inline(__always)
  static func specialBytes(_ word: UInt64) -> UInt64 {
    // `<` and `>` differ in one bit, which is set first. So one comparison finds both `<` and `>`.
    ByteSearch.matches(word, 0x26) | ByteSearch.matches(word | 0x0202_0202_0202_0202, 0x3E)
      | ByteSearch.matches(word & controlMask, 0)
  }

  /// The bits that are zero in both NUL and CR.
  ///
  /// After the mask has been applied to a word, one test finds both NUL and CR. The test also finds 01, 04, 05, 08, TAB
  /// and 0C, but not LF.
  @inline(__always)
  private static var controlMask: UInt64 { 0xF2F2_F2F2_F2F2_F2F2 }
}

extension RawSpan {
  /// Returns the last `count` bytes as the low bytes of a word whose other bytes are 0; `count` is 1 to 7.
  @inline(__always)
  func lastWord(of count: Int) -> UInt64 {
    let start = byteCount - count
    if start > 0, byteCount >= 8 { return word(at: byteCount - 8) >> UInt64(64 - 8 * count) }
    // If the loads read more than `count` bytes together, they overlap and set the same bits twice, which does no harm.
    if count >= 4 {
      return UInt64(half(at: start)) | UInt64(half(at: byteCount - 4)) << UInt64(8 * (count - 4))
    }
    let middle = count / 2
    return UInt64(byte(at: start)) | UInt64(byte(at: start + middle)) << UInt64(8 * middle)
      | UInt64(byte(at: byteCount - 1)) << UInt64(8 * (count - 1))
  }
}
