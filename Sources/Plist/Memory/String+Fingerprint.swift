extension String {
  /// A number computed from a string's length and the bytes at both ends; two strings with different fingerprints are
  /// not equal.
  @inline(__always)
  fileprivate var fingerprint: UInt64 {
    unsafe withUTF8Bytes { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      let count = bytes.count
      // Sound: every load ends at or before `count`.
      if count >= 8 {
        let first = unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let last = unsafe bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        return first &* 31 ^ last ^ UInt64(truncatingIfNeeded: count)
      }
      if count >= 4 {
        let first = unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
        let last = unsafe bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
        return (UInt64(first) << 32 | UInt64(last)) &* 31 ^ UInt64(truncatingIfNeeded: count)
      }
      var word = UInt64(truncatingIfNeeded: count)
      for place in 0..<count { word = word << 8 | UInt64(unsafe bytes[place]) }
      return word
    }
  }
}

extension [String] {
  /// The maximum number of strings that ``haveDifferentFingerprints`` compares.
  static var fingerprintedCount: Int { 16 }

  /// A Boolean value that indicates whether all strings have different fingerprints; if the value is false, the strings
  /// can still differ.
  ///
  /// - Precondition: The array must have at most ``fingerprintedCount`` strings.
  var haveDifferentFingerprints: Bool {
    let count = count
    precondition(count <= Self.fingerprintedCount)
    return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.fingerprintedCount) { fingerprints in
      for position in 0..<count {
        let fingerprint = self[position].fingerprint
        var isRepeated = false
        // Sound: the fingerprints before `position` are initialized, and there are at most as many strings as the
        // capacity.
        for earlier in 0..<position where unsafe fingerprints[earlier] == fingerprint { isRepeated = true }
        if isRepeated { return false }
        unsafe fingerprints.initializeElement(at: position, to: fingerprint)
      }
      return true
    }
  }
}
