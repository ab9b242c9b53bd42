/// Methods that append a line of XML (tabs, opening tag, content and closing tag), reserving memory once per line.
extension ByteBuffer {
  private mutating func writeLine(_ tabs: Int, _ size: Int, _ body: (inout ByteCursor) -> Void) {
    precondition(tabs >= 0, "the number of tabs is negative")
    write(upTo: tabs + size, body)
  }

  @inline(__always)
  mutating func appendLine(tabs: Int, _ literal: StaticString) {
    writeLine(tabs, literal.utf8CodeUnitCount) { cursor in
      // Sound: capacity was reserved for the tabs and the literal together.
      unsafe cursor.put(uncheckedTabs: tabs)
      unsafe cursor.put(unchecked: literal)
    }
  }

  /// Appends the bytes of `lines` in the range `line`, which must be followed by ``ByteCursor/slack`` more bytes.
  @inline(__always)
  mutating func appendLine(tabs: Int, _ line: Range<Int>, of lines: borrowing ByteBuffer) {
    lines.withSpan { bytes in
      writeLine(tabs, line.count) { cursor in
        // Sound: capacity was reserved for the whole line, which starts with the tabs.
        unsafe cursor.put(uncheckedTabs: tabs)
        cursor.put(words: bytes, in: line)
      }
    }
  }

  mutating func appendLine(
    tabs: Int, _ open: StaticString, upTo size: Int, _ close: StaticString, content: (inout ByteCursor) -> Void
  ) {
    precondition(size >= 0)
    writeLine(tabs, open.utf8CodeUnitCount + size + close.utf8CodeUnitCount) { cursor in
      // Sound: capacity was reserved for the whole line, which starts with the tabs.
      unsafe cursor.put(uncheckedTabs: tabs)
      unsafe cursor.put(unchecked: open)
      content(&cursor)
      cursor.put(close)
    }
  }

  /// Appends a line of text, writing `&`, `<`, `>` and, if `escapesReturns` is true, CR as XML references.
  ///
  /// Text in a mapped file can change, so unless `isConstant` is true, the copy is searched for special characters.
  /// Constant text is searched before it is copied, because loads from the copy would have to wait for the stores just
  /// made. For many strings, that took 10 % longer.
  ///
  /// - Returns: Whether the text contains a NUL, which XML cannot represent; if so, the appended bytes are invalid.
  mutating func appendLine(
    tabs: Int, _ open: StaticString, escaping text: RawSpan, isConstant: Bool, escapesReturns: Bool,
    _ close: StaticString
  ) -> Bool {
    if isConstant, ByteCursor.hasSpecialBytes(text) {
      return appendEscapedLine(tabs, open, text, escapesReturns, close)
    }
    let start = count
    writeLine(tabs, text.byteCount + (open.utf8CodeUnitCount + close.utf8CodeUnitCount)) { cursor in
      // All four calls are sound: the line consists of the tabs, `open`, the text and `close`, and capacity was
      // reserved for all of them.
      unsafe cursor.put(uncheckedTabs: tabs)
      unsafe cursor.put(unchecked: open)
      unsafe cursor.put(unchecked: text)
      unsafe cursor.put(unchecked: close)
    }
    if isConstant { return false }
    let first = start + tabs + open.utf8CodeUnitCount
    if !withSpan({ ByteCursor.hasSpecialBytes($0.extracting(first..<first + text.byteCount)) }) { return false }
    truncate(to: start)
    return appendEscapedLine(tabs, open, text, escapesReturns, close)
  }

  @inline(never)
  private mutating func appendEscapedLine(
    _ tabs: Int, _ open: StaticString, _ text: RawSpan, _ escapesReturns: Bool, _ close: StaticString
  ) -> Bool {
    appendLine(tabs: tabs, open)
    if append(escapingXML: text, escapesReturns: escapesReturns) { return true }
    append(close)
    return false
  }

  /// Appends escaped text and returns whether it contains a NUL, which XML cannot represent; if so, the appended bytes
  /// are invalid.
  private mutating func append(escapingXML text: RawSpan, escapesReturns: Bool) -> Bool {
    var offset = 0
    while true {
      let rest = text.extracting(offset...)
      write(upTo: rest.byteCount) { offset += $0.put(plain: rest) }
      if offset == text.byteCount { return false }
      switch text.byte(at: offset) {
      case 0x26: append("&amp;")
      case 0x3C: append("&lt;")
      case 0x3E: append("&gt;")
      case 0x0D where escapesReturns: append("&#13;")
      case 0: return true
      case let byte: append(byte)
      }
      offset += 1
    }
  }
}

extension ByteCursor {
  /// Writes the bytes before the first special one and returns how many there are.
  ///
  /// Special bytes are `&`, `<`, `>`, NUL and CR. The search also stops at TAB and five other control characters, which
  /// the caller writes unchanged.
  @inline(__always)
  fileprivate mutating func put(plain text: RawSpan) -> Int {
    var offset = 0
    while offset <= text.byteCount &- 8 {
      let word = text.word(at: offset)
      let plain = Self.specialBytes(word).trailingZeroBitCount / 8
      put(word: word, width: plain)
      offset &+= plain
      if plain < 8 { return offset }
    }
    let left = text.byteCount &- offset
    if left == 0 { return offset }
    // The bytes after the end of the text become 0xFF, which is not special.
    let word = text.lastWord(of: left) | ~0 << UInt64(8 * left)
    let plain = min(left, Self.specialBytes(word).trailingZeroBitCount / 8)
    put(word: word, width: plain)
    return offset + plain
  }

  /// Whether ``put(plain:)`` stops before the end of `text`.
  @inline(never)
  fileprivate static func hasSpecialBytes(_ text: RawSpan) -> Bool {
    let count = text.byteCount
    guard count >= 8 else {
      // The bytes after the end of the text become 0xFF, which is not special.
      return count > 0 && specialBytes(text.lastWord(of: count) | ~0 << UInt64(8 * count)) != 0
    }
    guard count >= 16 else { return hasSpecialBytes(SIMD2(text.word(at: 0), text.word(at: count &- 8))) }
    var offset = 0
    while offset < count &- 16 {
      if hasSpecialBytes(text.wordPair(at: offset)) { return true }
      offset &+= 16
    }
    return hasSpecialBytes(text.wordPair(at: count &- 16))
  }

  @inline(__always)
  private static func hasSpecialBytes(_ pair: SIMD2<UInt64>) -> Bool {
    // The same test as in `specialBytes(_:)`, for both words at once.
    let ones = SIMD2(repeating: ByteSearch.ones)
    let ampersand = pair ^ SIMD2(repeating: ByteSearch.ones &* 0x26)
    let angle = (pair | SIMD2(repeating: 0x0202_0202_0202_0202)) ^ SIMD2(repeating: ByteSearch.ones &* 0x3E)
    let control = pair & SIMD2(repeating: controlMask)
    let found = (ampersand &- ones) & ~ampersand | (angle &- ones) & ~angle | (control &- ones) & ~control
    return (found.x | found.y) & ByteSearch.highBits != 0
  }

  /// Returns a word with the top bit set in each byte at which ``put(plain:)`` stops; only the lowest set bit is
  /// reliable.
  static func specialBytes(_ word: UInt64) -> UInt64 {
    // `<` and `>` differ in one bit; with it set, one comparison finds both.
    ByteSearch.matches(word, 0x26) | ByteSearch.matches(word | 0x0202_0202_0202_0202, 0x3E)
      | ByteSearch.matches(word & controlMask, 0)
  }

  /// The bits that are zero in both NUL and CR, so one test finds both.
  ///
  /// The test also finds the control characters 0x01, 0x04, 0x05, 0x08, TAB and 0x0C, but not LF.
  private static var controlMask: UInt64 { 0xF2F2_F2F2_F2F2_F2F2 }
}

extension RawSpan {
  /// Returns the last `count` bytes (1 to 7) as the low bytes of a word that is otherwise zero.
  @inline(__always)
  func lastWord(of count: Int) -> UInt64 {
    let start = byteCount - count
    if start > 0, byteCount >= 8 { return word(at: byteCount - 8) >> UInt64(64 - 8 * count) }
    // Where the two loads overlap, they set the same bits to the same values.
    if count >= 4 {
      return UInt64(half(at: start)) | UInt64(half(at: byteCount - 4)) << UInt64(8 * (count - 4))
    }
    let middle = count / 2
    return UInt64(byte(at: start)) | UInt64(byte(at: start + middle)) << UInt64(8 * middle)
      | UInt64(byte(at: byteCount - 1)) << UInt64(8 * (count - 1))
  }
}
