/// Finds lines and columns, of one place after the other in any order, without going through the document each time.
///
/// A type that tries one thing after the other makes as many errors as there are values, and each says where it is.
struct PlaceFinder {
  /// Places every so many bytes, as far as has been looked.
  private var landmarks: [(offset: Int, place: PlistPosition)] = []

  private static let distance = 1 << 12

  /// The line and column of `offset` in the bytes of `source`.
  mutating func place(of offset: Int, in source: PlistSource) -> PlistPosition {
    source.withBytes { bytes in
      let offset = max(0, min(offset, bytes.byteCount))
      if landmarks.isEmpty { landmarks.append((0, source.start)) }
      var last = landmarks[landmarks.count - 1]
      while offset - last.offset >= Self.distance {
        var end = last.offset + Self.distance
        // Neither within a scalar nor between CR and LF.
        while end < offset, bytes.byte(at: end) & 0xC0 == 0x80 || bytes.byte(at: end) == 0x0A { end += 1 }
        last.place.advance(over: bytes, in: last.offset..<end, encoding: source.encoding)
        last.offset = end
        landmarks.append(last)
      }
      var (place, start) = nearest(offset)
      place.advance(over: bytes, in: start..<offset, encoding: source.encoding)
      return place
    }
  }

  /// The last landmark that is not behind `offset`.
  private func nearest(_ offset: Int) -> (PlistPosition, Int) {
    var low = 0
    var high = landmarks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if landmarks[middle].offset <= offset { low = middle } else { high = middle }
    }
    return (landmarks[low].place, landmarks[low].offset)
  }
}
