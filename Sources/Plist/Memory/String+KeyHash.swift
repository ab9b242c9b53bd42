/// A hash of dictionary keys, which is fast for short strings, and for which an attacker cannot choose keys that
/// collide.
///
/// The hash of a short key is the multilinear hash of Lemire and Kaser (*Strongly universal string hashing is fast*,
/// 2014). Each 32-bit word of the string is multiplied by a secret random 64-bit number. The upper half of the sum of
/// the products is the hash. Two different strings collide with the same probability as two random numbers, because
/// each process draws new secrets. For a string of more than 128 bytes, the standard library's hash is used, which also
/// has a random seed.
extension String {
  /// The maximum length in bytes of a string for which there are enough secret numbers.
  private static let keyHashReach = 128

  private static let keyHashSecrets: [UInt64] = {
    var random = SystemRandomNumberGenerator()
    // There is one secret number for each 32-bit word of the longest string, two for the length, and two spare numbers.
    return (0..<keyHashReach / 4 + 4).map { _ in random.next() }
  }()

  /// Returns a hash of the UTF-8 bytes, which is constant during the life of the process.
  func keyHash() -> UInt32 {
    unsafe withUTF8Bytes { bytes in
      guard bytes.count <= Self.keyHashReach else {
        var hasher = Hasher()
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return UInt32(truncatingIfNeeded: hasher.finalize())
      }
      return unsafe Self.keyHashSecrets.withUnsafeBufferPointer { secrets in
        unsafe UnsafeRawBufferPointer(bytes).multilinearHash(secrets)
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the hash of at most 128 bytes.
  ///
  /// A string is read eight bytes at a time; the last eight bytes can overlap the preceding bytes. Every load ends at
  /// or before `count`. For 128 bytes, the function uses the secrets below index 2 + 2 · 16, all of which exist. Some
  /// bytes can be read twice, but different strings of the same length still differ in at least one word. The length of
  /// a string is hashed as a separate word.
  @inline(__always)
  fileprivate func multilinearHash(_ secrets: UnsafeBufferPointer<UInt64>) -> UInt32 {
    var sum = unsafe secrets[0] &+ secrets[1] &* UInt64(truncatingIfNeeded: count)
    var next = 2
    func add(_ word: UInt64) {
      unsafe sum &+= secrets[next] &* (word & 0xFFFF_FFFF) &+ secrets[next + 1] &* (word &>> 32)
      next += 2
    }
    if count >= 8 {
      var offset = 0
      while offset < count - 8 {
        add(unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      add(unsafe loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    } else if count >= 4 {
      let low = unsafe loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      let high = unsafe loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      add(UInt64(low) | UInt64(high) &<< 32)
    } else {
      var word: UInt64 = 0
      for place in 0..<count { word = word &<< 8 | UInt64(unsafe self[place]) }
      add(word)
    }
    // Keys that end in consecutive numbers have evenly spaced sums, and would fill neighbouring slots of a table.
    // Murmur3's finalizer scatters evenly spaced sums. The finalizer is a bijection, so it does not make two different
    // hashes equal.
    var hash = UInt32(truncatingIfNeeded: sum &>> 32)
    hash = (hash ^ hash &>> 16) &* 0x85EB_CA6B
    hash = (hash ^ hash &>> 13) &* 0xC2B2_AE35
    return hash ^ hash &>> 16
  }
}
