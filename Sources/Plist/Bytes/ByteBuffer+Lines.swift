/// Lines of XML: tabs, a tag, content and a tag, in room that is made once for all of it.
extension ByteBuffer {
  /// Appends a line that is always the same.
  @inline(__always)
  mutating func appendLine(tabs: Int, _ literal: StaticString) {
    write(upTo: tabs &+ literal.utf8CodeUnitCount) { cursor in
      cursor.put(tabs: tabs)
      cursor.put(literal)
    }
  }

  /// Appends a line that has been made before in `lines`, where ``ByteCursor/slack`` more bytes follow it.
  @inline(__always)
  mutating func appendLine(tabs: Int, _ line: Range<Int>, of lines: borrowing ByteBuffer) {
    lines.withSpan { bytes in
      write(upTo: tabs &+ (line.upperBound &- line.lowerBound)) { cursor in
        cursor.put(tabs: tabs)
        cursor.put(words: bytes, in: line)
      }
    }
  }

  /// Appends a line of content that takes at most `size` bytes.
  @inline(__always)
  mutating func appendLine(
    tabs: Int, _ open: StaticString, upTo size: Int, _ close: StaticString, content: (inout ByteCursor) -> Void
  ) {
    write(upTo: tabs &+ (open.utf8CodeUnitCount &+ size &+ close.utf8CodeUnitCount)) { cursor in
      cursor.put(tabs: tabs)
      cursor.put(open)
      content(&cursor)
      cursor.put(close)
    }
  }

  /// Appends a line of text in which `&`, `<` and `>` become references.
  ///
  /// - Returns: Whether the text holds a NUL, which cannot be written; what has been appended is of no use then.
  @inline(__always)
  mutating func appendLine(tabs: Int, _ open: StaticString, escaping text: RawSpan, _ close: StaticString) -> Bool {
    let length = text.byteCount
    var done = 0
    write(upTo: tabs &+ length &+ (open.utf8CodeUnitCount &+ close.utf8CodeUnitCount)) { cursor in
      cursor.put(tabs: tabs)
      cursor.put(open)
      done = cursor.put(plain: text)
      if done == length { cursor.put(close) }
    }
    if done == length { return false }
    if append(escapingXML: text, from: done) { return true }
    append(close)
    return false
  }

  /// Appends text from `start` on with `&`, `<` and `>` written as references.
  ///
  /// - Returns: Whether the text holds a NUL, which cannot be written; what has been appended is of no use then.
  @inline(never)
  private mutating func append(escapingXML text: RawSpan, from start: Int) -> Bool {
    var offset = start
    while offset < text.byteCount {
      switch text.byte(at: offset) {
      case 0x26: append("&amp;")
      case 0x3C: append("&lt;")
      case 0x3E: append("&gt;")
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
  /// Puts the bytes of `text` before the first `&`, `<`, `>` or NUL, and returns how many those are.
  @inline(__always)
  fileprivate mutating func put(plain text: RawSpan) -> Int {
    let count = text.byteCount
    var offset = 0
    // Pairs of words, up to one that has something special; the last overlaps the one before it.
    while offset <= count &- 16 {
      let pair = text.wordPair(at: offset)
      if Self.hasSpecialBytes(pair) { break }
      put(endOf: pair)
      offset &+= 16
    }
    if offset > 0, offset > count &- 16 {
      if offset == count { return count }
      let pair = text.wordPair(at: count &- 16)
      if !Self.hasSpecialBytes(pair) {
        put(endOf: pair, width: count &- offset)
        return count
      }
    }
    while offset <= count &- 8 {
      let word = text.word(at: offset)
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
      // The last eight bytes: those of them that have been put are known to be plain.
      let word = text.word(at: count &- 8)
      if Self.specialBytes(word) == 0 {
        put(endOf: word, width: left)
        return count
      }
    }
    // Ones behind the text are nothing special.
    let word = text.lastWord(of: left) | ~0 << UInt64(8 * left)
    let plain = min(left, Self.specialBytes(word).trailingZeroBitCount / 8)
    put(word: word, width: plain)
    return offset + plain
  }

  /// Whether any byte is special.
  @inline(__always)
  private static func hasSpecialBytes(_ pair: SIMD2<UInt64>) -> Bool {
    // As below, in both words at once: the lanes do not depend on each other.
    let ones = SIMD2(repeating: ByteSearch.ones)
    let ampersand = pair ^ SIMD2(repeating: ByteSearch.ones &* 0x26)
    let angle = (pair | SIMD2(repeating: 0x0202_0202_0202_0202)) ^ SIMD2(repeating: ByteSearch.ones &* 0x3E)
    let found = (ampersand &- ones) & ~ampersand | (angle &- ones) & ~angle | (pair &- ones) & ~pair
    return (found.x | found.y) & ByteSearch.highBits != 0
  }

  /// The top bits of the bytes of `word` that are special, reliable up to the lowest bit set.
  @inline(__always)
  static func specialBytes(_ word: UInt64) -> UInt64 {
    // `<` and `>` differ in one bit.
    ByteSearch.matches(word, 0x26) | ByteSearch.matches(word | 0x0202_0202_0202_0202, 0x3E)
      | ByteSearch.matches(word, 0)
  }
}

extension RawSpan {
  /// The last `count` bytes, 1 to 7, as the low bytes of a word whose other bytes are 0.
  @inline(__always)
  func lastWord(of count: Int) -> UInt64 {
    let start = byteCount - count
    if start > 0, byteCount >= 8 { return word(at: byteCount - 8) >> UInt64(64 - 8 * count) }
    // Overlapping where bytes are missing: the same bytes again do no harm.
    if count >= 4 {
      return UInt64(half(at: start)) | UInt64(half(at: byteCount - 4)) << UInt64(8 * (count - 4))
    }
    let middle = count / 2
    return UInt64(byte(at: start)) | UInt64(byte(at: start + middle)) << UInt64(8 * middle)
      | UInt64(byte(at: byteCount - 1)) << UInt64(8 * (count - 1))
  }
}
