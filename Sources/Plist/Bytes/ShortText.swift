/// The bytes of a string that is so short that the string itself holds them; see ``ShortString``.
///
/// Writers store them as two words, which takes a fraction of what it takes to be handed a span of them.
struct ShortText {
  /// The first eight bytes, the first of them in the lowest bits; bytes that the text does not have are 0.
  let low: UInt64
  /// Those behind them, likewise.
  let high: UInt64
  /// The number of bytes, at most ``ShortString/largestCount``.
  let count: Int

  /// The text of a string that is represented by the given words, or nil where they do not hold it.
  @inline(__always)
  init?(_ words: (UInt64, UInt64)) {
    guard ShortString.isLayoutKnown, words.1 & ShortString.isShort != 0 else { return nil }
    low = words.0
    high = words.1 & (1 << 56 - 1)
    count = Int(truncatingIfNeeded: words.1 >> 56 & 0x0F)
  }

  /// Whether all bytes are below 0x80.
  @inline(__always)
  var isASCII: Bool { (low | high) & ByteSearch.highBits == 0 }

  /// Whether XML has any of the bytes written otherwise, or cannot have it.
  @inline(__always)
  var isSpecialInXML: Bool {
    // Ones behind the text are nothing special.
    if ByteCursor.specialBytes(low | ~0 << UInt64(8 * count)) != 0 { return true }
    return count > 8 && ByteCursor.specialBytes(high | ~0 << UInt64(8 * (count - 8))) != 0
  }
}

extension String {
  /// The text, where the string itself holds it.
  @inline(__always)
  var shortText: ShortText? {
    // Sound: a string is two words then, and any bits are valid words.
    guard ShortString.isLayoutKnown else { return nil }
    let text = ShortText(unsafe unsafeBitCast(self, to: (UInt64, UInt64).self))
    assert(text.map { utf8.elementsEqual($0.bytes) } ?? true)
    return text
  }
}

extension ShortText {
  /// The bytes one by one.
  var bytes: [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 < 8 ? low : high) >> UInt64(8 * ($0 & 7))) }
  }
}

extension ByteCursor {
  /// Puts a text that has been found to be as it is to be written.
  @inline(__always)
  mutating func put(_ text: ShortText) {
    put(word: text.low, then: text.high, width: text.count)
  }
}

extension ByteBuffer {
  /// Appends a line of text in which nothing needs to be written as a reference.
  ///
  /// - Returns: Whether it is so; nothing has been appended otherwise.
  @inline(__always)
  mutating func appendLine(tabs: Int, _ open: StaticString, _ text: ShortText, _ close: StaticString) -> Bool {
    if text.isSpecialInXML { return false }
    write(upTo: tabs &+ (open.utf8CodeUnitCount &+ ShortString.largestCount &+ close.utf8CodeUnitCount)) { cursor in
      cursor.put(tabs: tabs)
      cursor.put(open)
      cursor.put(text)
      cursor.put(close)
    }
    return true
  }
}
