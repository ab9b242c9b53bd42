extension String {
  /// Whether both strings are represented by the same bits, which makes them equal; others may be equal as well.
  ///
  /// A literal, or a string of few bytes, is always represented by the same bits, so this settles without a look at the
  /// text whether a key is the one that is expected. Whoever keeps one of the two keeps its storage from being changed.
  @inline(__always)
  func hasSameBits(as other: String) -> Bool {
    #if _pointerBitWidth(_64)
    // Sound: a string is two words without padding on these platforms, and any bits are valid words.
    let left = unsafe unsafeBitCast(self, to: (UInt64, UInt64).self)
    let right = unsafe unsafeBitCast(other, to: (UInt64, UInt64).self)
    return left.0 == right.0 && left.1 == right.1
    #else
    return hasSameBytes(as: other)
    #endif
  }
}
