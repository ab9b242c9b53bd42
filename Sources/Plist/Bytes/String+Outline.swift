extension String {
  /// The length and the bytes at both ends in one number: strings whose outlines differ are different.
  @inline(__always)
  fileprivate var outline: UInt64 {
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
  /// How many strings ``haveDifferentOutlines`` compares at most.
  static var outlinedCount: Int { 16 }

  /// Whether every string is seen to differ from every other at a glance; where not, they must be compared.
  ///
  /// - Precondition: There are at most ``outlinedCount``.
  var haveDifferentOutlines: Bool {
    let count = count
    precondition(count <= Self.outlinedCount)
    return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.outlinedCount) { outlines in
      for position in 0..<count {
        let outline = self[position].outline
        var isRepeated = false
        // Sound: those before `position` have been initialized, and there is room for as many as there are strings.
        for earlier in 0..<position where unsafe outlines[earlier] == outline { isRepeated = true }
        if isRepeated { return false }
        unsafe outlines.initializeElement(at: position, to: outline)
      }
      return true
    }
  }
}
