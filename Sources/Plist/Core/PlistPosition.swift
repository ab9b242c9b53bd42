struct PlistPosition: Equatable, Sendable {
  /// The number of bytes before the position in the original document, including a byte-order mark.
  var offset = 0
  /// The line, starting at 1.
  var line = 1
  /// The column in Unicode scalars, starting at 1.
  var column = 1

  /// Advances the position past the text in `range` of `bytes`; the text must begin at this position.
  ///
  /// The span `bytes` is always UTF-8. The encoding of the original document is `encoding`.
  ///
  /// If this method is called for consecutive ranges of a document, only the last range is allowed to end between CR
  /// and LF.
  mutating func advance(over bytes: RawSpan, in range: Range<Int>, encoding: TextEncoding) {
    offset += encoding.encodedLength(ofUTF8: bytes, in: range)
    var lines = bytes.count(of: 0x0A, in: range)
    var lineStart = range.lowerBound
    let firstReturn = bytes.firstOffset(of: 0x0D, from: range.lowerBound, to: range.upperBound)
    for index in firstReturn..<range.upperBound where bytes.byte(at: index) == 0x0D {
      // CR LF is one line end, which is counted at the LF.
      if index + 1 >= bytes.byteCount || bytes.byte(at: index + 1) != 0x0A {
        lines += 1
        lineStart = index + 1
      }
    }
    if lines > 0 {
      line += lines
      column = 1
    }
    var index = range.upperBound
    while index > lineStart, bytes.byte(at: index - 1) != 0x0A {
      index -= 1
      // In UTF-8, each scalar has exactly one byte that is not a continuation byte. Counting the bytes that are not
      // continuation bytes therefore counts the scalars.
      if bytes.byte(at: index) & 0xC0 != 0x80 { column += 1 }
    }
  }
}
