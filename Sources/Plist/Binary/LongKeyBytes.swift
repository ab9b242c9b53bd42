/// A count of the bytes in the long keys of one binary dictionary.
///
/// All pairs of a binary dictionary can refer to the same string as their key. Each reader of binary keys limits the
/// size of the long keys, to bound memory and time for the keys of one dictionary.
struct LongKeyBytes {
  private var count = 0

  /// Adds the size of a long key, and returns whether the total size of the long keys is at most `limit`.
  @inline(__always)
  mutating func add(_ size: Int, limit: Int) -> Bool {
    if size >= BinaryReader.longPayload { count += size }
    return count <= limit
  }
}
