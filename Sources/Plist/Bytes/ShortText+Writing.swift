extension String {
  /// The text, where the string itself holds it and it is ASCII.
  ///
  /// Writers store its words, which takes a fraction of what it takes to be handed a span of the bytes.
  @inline(__always)
  var shortText: ShortText? {
    guard ShortString.isLayoutKnown else { return nil }
    // Sound: a string is two words then, and any bits are valid words.
    let text = ShortText(ofString: unsafe unsafeBitCast(self, to: (UInt64, UInt64).self))
    assert(text.map { text in text.count == utf8.count && text.string.utf8.elementsEqual(utf8) } ?? true)
    return text
  }
}

extension BorrowedArray<String> {
  /// The text of the string at `index`, where the string itself holds it and it is ASCII; nothing is retained for it.
  ///
  /// - Precondition: `index` is below ``count``.
  @inline(__always)
  func shortText(at index: Int) -> ShortText? {
    guard ShortString.isLayoutKnown else { return nil }
    return ShortText(ofString: wordPair(at: index))
  }
}

extension ShortText {
  /// The text of a string that is represented by the given words, or nil where they do not hold it.
  @inline(__always)
  fileprivate init?(ofString words: (UInt64, UInt64)) {
    guard words.1 >> 60 == ShortString.nibble else { return nil }
    self.init(low: words.0, high: words.1)
  }

  /// Whether XML has any of the bytes written otherwise, or cannot have it.
  @inline(__always)
  var isSpecialInXML: Bool {
    // Ones behind the text are nothing special.
    if ByteCursor.specialBytes(words.low | ~0 << UInt64(8 * count)) != 0 { return true }
    return count > 8 && ByteCursor.specialBytes(words.high | ~0 << UInt64(8 * (count - 8))) != 0
  }
}

extension ByteHash {
  /// The hash of all bytes of a short text.
  @inline(__always)
  func hash(_ text: ShortText) -> UInt32 {
    var state = begin(UInt64(truncatingIfNeeded: text.count))
    if text.count > 0 { state = Self.mix(state, text.words.low) }
    // Without the mark and the count above the text.
    if text.count > 8 { state = Self.mix(state, text.words.high & (1 << 56 - 1)) }
    return end(state)
  }
}

extension ByteCursor {
  /// Puts a text that has been found to be as it is to be written.
  @inline(__always)
  mutating func put(_ text: ShortText) { put(word: text.words.low, then: text.words.high, width: text.count) }
}

extension ByteBuffer {
  /// Appends a line of text in which nothing needs to be written as a reference.
  ///
  /// - Returns: Whether it is so; nothing has been appended otherwise.
  @inline(__always)
  mutating func appendLine(tabs: Int, _ open: StaticString, _ text: ShortText, _ close: StaticString) -> Bool {
    if text.isSpecialInXML { return false }
    let size = open.utf8CodeUnitCount &+ ShortString.largestCount &+ close.utf8CodeUnitCount
    write(upTo: tabs &+ size) { cursor in
      cursor.put(tabs: tabs)
      cursor.put(open)
      cursor.put(text)
      cursor.put(close)
    }
    return true
  }
}
