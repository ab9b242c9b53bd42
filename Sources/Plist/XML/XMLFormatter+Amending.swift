/// Changes of a container that is open, for values that are written as they come and turn out to be void.
extension XMLFormatter {
  /// Takes back the bytes from `position` on, where `depth` containers were open, the innermost of them empty where
  /// `isAtBeginning`.
  mutating func removeBytes(from position: Int, depth: Int, isAtBeginning: Bool) {
    buffer.truncate(to: position)
    self.depth = depth
    beginning = isAtBeginning ? position : -1
  }

  /// Keeps of pairs that have the same key, in the dictionary that is open and whose pairs begin at `start`, the last
  /// value in the first one's place.
  ///
  /// - Complexity: O(*n*) in the length of the dictionary.
  mutating func keepLastPairs(from start: Int) {
    let pairs = pairs(from: start)
    let keys = PropertyListKeys([])
    var last: [Range<Int>] = []
    for pair in pairs {
      if let place = keys.position(of: pair.key) {
        last[place] = pair.range
      } else {
        keys.append(pair.key)
        last.append(pair.range)
      }
    }
    guard last.count < pairs.count else { return }
    var kept = ByteBuffer(capacity: buffer.count - start)
    buffer.withSpan { bytes in
      for range in last { kept.append(bytes.extracting(range)) }
    }
    buffer.truncate(to: start)
    kept.withSpan { buffer.append($0) }
  }

  /// The pairs from `start` on in the dictionary that is open: their keys, as they are written, and their bytes.
  private func pairs(from start: Int) -> [(key: String, range: Range<Int>)] {
    let tag: StaticString = "<key>"
    let opening = depth + tag.utf8CodeUnitCount
    var pairs: [(key: String, range: Range<Int>)] = []
    buffer.withSpan { bytes in
      var offset = start
      while offset < bytes.byteCount {
        // The tag of a key follows tabs alone, fewer than those in containers within; text has no `<` of its own.
        if bytes.hasTabs(depth, at: offset), bytes.has(tag, at: offset + depth) {
          let key = offset + opening
          let end = bytes.firstOffset(of: 0x3C, from: key)
          if let last = pairs.indices.last { pairs[last].range = pairs[last].range.lowerBound..<offset }
          pairs.append((String(utf8: bytes, in: key..<end), offset..<bytes.byteCount))
          offset = end
        }
        offset = bytes.firstOffset(of: 0x0A, from: offset) + 1
      }
    }
    return pairs
  }
}

extension RawSpan {
  fileprivate func hasTabs(_ count: Int, at offset: Int) -> Bool {
    guard byteCount - offset >= count else { return false }
    return (offset..<offset + count).allSatisfy { byte(at: $0) == 0x09 }
  }

  fileprivate func has(_ text: StaticString, at offset: Int) -> Bool {
    guard byteCount - offset >= text.utf8CodeUnitCount else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { byte(at: offset + $0) == text.byte(at: $0) }
  }
}
