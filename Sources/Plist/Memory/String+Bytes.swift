/// Comparisons of strings by their UTF-8 bytes.
///
/// Two keys or strings of property lists are equal if their UTF-8 bytes are equal. `String.==` is not used, because it
/// treats composed and decomposed `é` as equal.
///
/// In this extension, each use of `unsafe` is sound, because buffers are passed only to closures from which the buffers
/// do not escape. Strings that are not stored as UTF-8, such as strings bridged from Objective-C, are copied first.
extension String {
  @inline(__always)  // measured: look-ups take half the time
  func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = unsafe utf8.withContiguousStorageIfAvailable(body) { return result }
    return unsafe Array(utf8).withUnsafeBufferPointer(body)
  }

  /// The complexity is O(*n*) in the length, or O(1) if the lengths differ.
  @inline(__always)
  func hasSameBytes(as other: String) -> Bool {
    // The function compares the lengths first: a string stores its UTF-8 length, and most look-ups need no other
    // comparison.
    utf8.count == other.utf8.count && hasSameBytes(asEquallyLong: other)
  }

  private func hasSameBytes(asEquallyLong other: String) -> Bool {
    unsafe withUTF8Bytes { left in
      unsafe other.withUTF8Bytes { right in
        unsafe left.count == right.count && left.isEqual(to: right)
      }
    }
  }

  /// Adds the bytes and their count to `hasher`, so that `"ab", "c"` and `"a", "bc"` have different hashes.
  func hashBytes(into hasher: inout Hasher) {
    unsafe withUTF8Bytes { bytes in
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
      hasher.combine(bytes.count)
    }
  }

  /// The first eight bytes as a big-endian number; a shorter string is padded with zeros at the end.
  var firstBytes: UInt64 {
    withByteSpan { bytes in
      if bytes.byteCount >= 8 { return bytes.word(at: 0).byteSwapped }
      return bytes.isEmpty ? 0 : bytes.lastWord(of: bytes.byteCount).byteSwapped
    }
  }

  func hasBytesBefore(_ other: String) -> Bool {
    unsafe withUTF8Bytes { left in
      unsafe other.withUTF8Bytes { right in
        guard let index = unsafe left.firstDifference(from: right) else { return left.count < right.count }
        return unsafe left[index] < right[index]
      }
    }
  }

  /// Whether this string comes strictly before `other` in the order of UTF-16 code units, as `CFString` and `NSString`
  /// compare.
  ///
  /// UTF-8 bytes sort in the order of the scalars. The order of UTF-16 differs in one case: surrogates (UTF-8 lead byte
  /// F0 and up) come before U+E000…U+FFFF (lead bytes EE and EF).
  func hasCodeUnitsBefore(_ other: String) -> Bool {
    unsafe withUTF8Bytes { left in
      unsafe other.withUTF8Bytes { right in
        guard let index = unsafe left.firstDifference(from: right) else { return left.count < right.count }
        let (a, b) = unsafe (left[index], right[index])
        return a >= 0xEE && b >= 0xEE && (a >= 0xF0) != (b >= 0xF0) ? a >= 0xF0 : a < b
      }
    }
  }
}

/// Comparisons of byte buffers.
///
/// Sound: the callers above pass buffers that are valid during the call.
extension UnsafeBufferPointer<UInt8> {
  /// Whether both buffers have the same bytes; their counts must be equal.
  @inline(__always)
  fileprivate func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
    let left = UnsafeRawBufferPointer(self)
    let right = UnsafeRawBufferPointer(other)
    let count = left.count
    guard count >= 8 else {
      var index = 0
      while index < count {
        if unsafe left[index] != right[index] { return false }
        index += 1
      }
      return true
    }
    // The loop compares eight bytes at a time. The last load covers the last eight bytes, and can overlap the previous
    // load, so that no load ends after `count`.
    var offset = 0
    while true {
      let a = unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let b = unsafe right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if a != b { return false }
      if offset == count - 8 { return true }
      offset = Swift.min(offset + 8, count - 8)
    }
  }

  fileprivate func firstDifference(from other: UnsafeBufferPointer<UInt8>) -> Int? {
    let count = Swift.min(self.count, other.count)
    var index = 0
    while index < count {
      if unsafe self[index] != other[index] { return index }
      index += 1
    }
    return nil
  }
}
