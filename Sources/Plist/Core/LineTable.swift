/// A table of positions in a document, so that a search for a line and column need not begin at the document's first
/// byte.
///
/// A program can try to decode each value as several types, and each failed attempt creates an error with a position.
/// Since a program can create many errors, finding a position must be fast. The table has an entry for every four
/// kilobytes of the document, up to the greatest offset whose position has been requested.
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
        // The position of a table entry must not be within a Unicode scalar or between CR and LF.
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

  /// Returns the last table entry at or before `offset`.
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
