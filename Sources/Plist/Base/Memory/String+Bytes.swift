/// Comparisons of UTF-8 bytes, which determine whether keys and strings in property lists are equal.
///
/// `String.==` would treat composed and decomposed `é` as equal.
extension String {
  /// Whether both strings have the same UTF-8 bytes.
  ///
  /// - Complexity: O(*n*) in the length, or O(1) if the lengths differ.
  @inline(__always)
  func hasSameBytes(as other: String) -> Bool {
    // Strings store their UTF-8 length, and most lookups need no other comparison.
    utf8.count == other.utf8.count && hasSameBytes(asEquallyLong: other)
  }

  private func hasSameBytes(asEquallyLong other: String) -> Bool {
    withByteSpan { left in other.withByteSpan { right in left.hasSameBytes(as: right) } }
  }

  /// Adds the bytes and their count to `hasher`, so that `"ab", "c"` and `"a", "bc"` have different hashes.
  func hashBytes(into hasher: inout Hasher) {
    withByteSpan { bytes in
      // Sound: the hasher reads the buffer only during the call.
      unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      hasher.combine(bytes.byteCount)
    }
  }

  /// The first eight bytes as a big-endian number, padded with zeros at the end.
  var firstBytes: UInt64 {
    withByteSpan { bytes in
      if bytes.byteCount >= 8 { return bytes.word(at: 0).byteSwapped }
      return bytes.isEmpty ? 0 : bytes.lastWord(of: bytes.byteCount).byteSwapped
    }
  }

  func hasBytesBefore(_ other: String) -> Bool {
    withByteSpan { left in
      other.withByteSpan { right in
        guard let index = left.firstDifference(from: right) else { return left.byteCount < right.byteCount }
        return left.byte(at: index) < right.byte(at: index)
      }
    }
  }

  /// Whether this string comes strictly before `other` by UTF-16 code units, the order of `CFString` and `NSString`.
  ///
  /// UTF-8 bytes sort in the order of Unicode scalars. UTF-16 differs only in that surrogates come before
  /// U+E000…U+FFFF. In UTF-8, scalars that need surrogates begin with F0 or a larger byte, and U+E000…U+FFFF begin with
  /// EE or EF.
  func hasCodeUnitsBefore(_ other: String) -> Bool {
    withByteSpan { left in
      other.withByteSpan { right in
        guard let index = left.firstDifference(from: right) else { return left.byteCount < right.byteCount }
        let (a, b) = (left.byte(at: index), right.byte(at: index))
        return a >= 0xEE && b >= 0xEE && (a >= 0xF0) != (b >= 0xF0) ? a >= 0xF0 : a < b
      }
    }
  }
}

extension UInt8 {
  /// Maps a byte of UTF-8 to a number that sorts in the order of UTF-16 code units; see
  /// ``Swift/String/hasCodeUnitsBefore(_:)``.
  var inCodeUnitOrder: UInt8 { self < 0xEE ? self : self < 0xF0 ? self + 5 : self - 2 }
}

extension RawSpan {
  /// Whether both spans have the same bytes.
  @inline(__always)
  func hasSameBytes(as other: RawSpan) -> Bool {
    byteCount == other.byteCount && hasSameBytes(at: 0, as: other, in: 0..<byteCount)
  }

  /// Whether the bytes from `first` on equal the bytes of `other` in `range`.
  ///
  /// - Precondition: `range` is within `other`, and this span has at least as many bytes from `first` on.
  @inline(__always)
  func hasSameBytes(at first: Int, as other: RawSpan, in range: Range<Int>) -> Bool {
    let (second, length) = (range.lowerBound, range.count)
    precondition(
      first >= 0 && second >= 0 && first <= byteCount &- length && range.upperBound <= other.byteCount)
    guard length >= 8 else {
      for offset in 0..<length where byte(at: first &+ offset) != other.byte(at: second &+ offset) { return false }
      return true
    }
    // Sound: all words loaded here and in the loop are within the compared ranges; the last can overlap the one before
    // it.
    let last = length &- 8
    var offset = 0
    while offset < last {
      if unsafe uncheckedWord(at: first &+ offset) != other.uncheckedWord(at: second &+ offset) { return false }
      offset &+= 8
    }
    return unsafe uncheckedWord(at: first &+ last) == other.uncheckedWord(at: second &+ last)
  }

  func firstDifference(from other: RawSpan) -> Int? {
    let count = Swift.min(byteCount, other.byteCount)
    var offset = 0
    while offset <= count - 8 {
      let difference = word(at: offset) ^ other.word(at: offset)
      if difference != 0 { return offset + difference.trailingZeroBitCount / 8 }
      offset += 8
    }
    return (offset..<count).first { byte(at: $0) != other.byte(at: $0) }
  }
}
