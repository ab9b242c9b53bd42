extension RawSpan {
  /// Returns the offset of the first malformed UTF-8 sequence (Unicode 15, table 3-7), or nil if there is none.
  ///
  /// Overlong forms, surrogates and values above U+10FFFF are malformed.
  func firstInvalidUTF8(in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    var offset = range.lowerBound
    let end = range.upperBound
    while offset < end {
      // Sound: the word is within the range, which is within the span.
      if offset <= end - 8, unsafe uncheckedWord(at: offset) & ByteSearch.highBits == 0 {
        offset += 8
        continue
      }
      let width = scalarWidth(at: offset, end: end)
      if width == 0 { return offset }
      offset += width
    }
    return nil
  }

  /// Returns the length of the scalar at `offset`, or 0 if it is malformed or cut off by `end`.
  private func scalarWidth(at offset: Int, end: Int) -> Int {
    let first = byte(at: offset)
    if first < 0x80 { return 1 }
    let left = end - offset
    guard first >= 0xC2, first <= 0xF4, left >= 2 else { return 0 }
    let second = byte(at: offset + 1)
    if first < 0xE0 { return second & 0xC0 == 0x80 ? 2 : 0 }
    guard left >= 3, byte(at: offset + 2) & 0xC0 == 0x80 else { return 0 }
    if first < 0xF0 {
      let lowest: UInt8 = first == 0xE0 ? 0xA0 : 0x80
      let highest: UInt8 = first == 0xED ? 0x9F : 0xBF
      return second >= lowest && second <= highest ? 3 : 0
    }
    guard left >= 4, byte(at: offset + 3) & 0xC0 == 0x80 else { return 0 }
    let lowest: UInt8 = first == 0xF0 ? 0x90 : 0x80
    let highest: UInt8 = first == 0xF4 ? 0x8F : 0xBF
    return second >= lowest && second <= highest ? 4 : 0
  }

  /// Whether the bytes from `offset` to the end are the beginning of a well-formed scalar that has been cut off.
  func isCutScalar(from offset: Int) -> Bool {
    let left = byteCount - offset
    guard left > 0 else { return false }
    let first = byte(at: offset)
    let width = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard 0xC2...0xF4 ~= first, left < width else { return false }
    for index in 1..<left where byte(at: offset + index) & 0xC0 != 0x80 { return false }
    // Which second bytes are valid depends on the first byte.
    switch left > 1 ? (first, byte(at: offset + 1)) : (0, 0) {
    case (0xE0, ..<0xA0), (0xED, 0xA0...), (0xF0, ..<0x90), (0xF4, 0x90...): return false
    default: return true
    }
  }

  /// Returns the offset of the first unpaired surrogate in UTF-16, or nil if there is none.
  @inline(__always)
  func firstUnpairedSurrogate(in range: Range<Int>, isLittleEndian: Bool = false) -> Int? {
    let high = isLittleEndian ? 1 : 0
    var offset = range.lowerBound
    while offset + 2 <= range.upperBound {
      // The top five bits of a surrogate's high byte are 11011.
      let first = byte(at: offset + high)
      if first & 0xF8 == 0xD8 {
        guard first < 0xDC, offset + 4 <= range.upperBound, byte(at: offset + high + 2) & 0xFC == 0xDC else {
          return offset
        }
        offset += 2
      }
      offset += 2
    }
    return nil
  }
}
