/// A position in a text document.
struct PlistPosition: Equatable, Sendable {
  /// The number of bytes before the position in the original document, including a byte-order mark.
  var offset = 0
  /// The line, starting at 1.
  var line = 1
  /// The column in Unicode scalars, starting at 1.
  var column = 1

  /// Moves past the UTF-8 in `range` of `bytes`, which is at this position in a document of the given encoding.
  ///
  /// A range that is not the last must not end between CR and LF.
  mutating func advance(over bytes: RawSpan, in range: Range<Int>, encoding: TextEncoding) {
    offset += encoding.encodedLength(ofUTF8: bytes, in: range)
    var lines = bytes.count(of: 0x0A, in: range)
    var lineStart = range.lowerBound
    let firstReturn = bytes.firstOffset(of: 0x0D, from: range.lowerBound, to: range.upperBound)
    if firstReturn < range.upperBound {
      for index in firstReturn..<range.upperBound where bytes.byte(at: index) == 0x0D {
        // CR LF counts once, at its LF.
        if index + 1 >= bytes.byteCount || bytes.byte(at: index + 1) != 0x0A {
          lines += 1
          lineStart = index + 1
        }
      }
    }
    if lines > 0 {
      line += lines
      column = 1
    }
    var index = range.upperBound
    while index > lineStart, bytes.byte(at: index - 1) != 0x0A {
      index -= 1
      // Every scalar has one byte that is not a continuation byte.
      if bytes.byte(at: index) & 0xC0 != 0x80 { column += 1 }
    }
  }
}
