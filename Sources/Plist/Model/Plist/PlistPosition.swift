struct PlistPosition: Equatable, Sendable {
  /// The number of bytes before the position in the original document, including a byte-order mark.
  var offset = 0
  /// The line, counted from 1.
  var line = 1
  /// The column in Unicode scalars, counted from 1.
  var column = 1

  /// Moves past the text in `range` of `bytes`, which begins at this position.
  ///
  /// `bytes` is UTF-8, and `encoding` is the encoding of the original document. If this is called for consecutive
  /// ranges, only the last one may end between CR and LF.
  mutating func advance(over bytes: RawSpan, in range: Range<Int>, encoding: TextEncoding) {
    offset += encoding.encodedLength(ofUTF8: bytes, in: range)
    var lines = bytes.count(of: 0x0A, in: range)
    var lineStart = range.lowerBound
    let firstReturn = bytes.firstOffset(of: 0x0D, from: range.lowerBound, to: range.upperBound)
    for index in firstReturn..<range.upperBound where bytes.byte(at: index) == 0x0D {
      // CR LF is one line end, counted at the LF.
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
      // Each scalar has exactly one byte that is not a continuation byte.
      if bytes.byte(at: index) & 0xC0 != 0x80 { column += 1 }
    }
  }
}

/// A table of positions in a document, so that finding a line and column does not have to start at the first byte.
///
/// A program that tries each value as several types creates an error with a position for each failed attempt, so this
/// must be fast. There is an entry for every four kilobytes, up to the largest offset requested so far.
struct LineTable {
  private var landmarks: [(offset: Int, position: PlistPosition)] = []

  private static let distance = 1 << 12

  mutating func position(of offset: Int, in source: PlistSource) -> PlistPosition {
    source.withBytes { bytes in
      let offset = max(0, min(offset, bytes.byteCount))
      if landmarks.isEmpty { landmarks.append((0, source.start)) }
      var last = landmarks[landmarks.count - 1]
      while offset - last.offset >= Self.distance {
        var end = last.offset + Self.distance
        // No entry is inside a scalar or between CR and LF.
        while end < offset, bytes.byte(at: end) & 0xC0 == 0x80 || bytes.byte(at: end) == 0x0A { end += 1 }
        last.position.advance(over: bytes, in: last.offset..<end, encoding: source.encoding)
        last.offset = end
        landmarks.append(last)
      }
      var (position, start) = nearest(offset)
      position.advance(over: bytes, in: start..<offset, encoding: source.encoding)
      return position
    }
  }

  /// Returns the last entry at or before `offset`.
  private func nearest(_ offset: Int) -> (PlistPosition, Int) {
    var low = 0
    var high = landmarks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if landmarks[middle].offset <= offset { low = middle } else { high = middle }
    }
    return (landmarks[low].position, landmarks[low].offset)
  }
}
