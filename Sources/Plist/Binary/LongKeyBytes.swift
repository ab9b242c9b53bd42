/// A count of the bytes in the long keys of one binary dictionary.
///
/// All pairs of a binary dictionary can refer to the same string as their key. Each reader of binary keys limits the
/// total size of one dictionary's long keys, to bound the memory and the time for these keys.
struct LongKeyBytes {
  private var count = 0

  /// Adds the size of a long key, and returns whether the total size of the long keys is at most `limit`.
  mutating func add(_ size: Int, limit: Int) -> Bool {
    if size >= BinaryReader.longPayload { count += size }
    return count <= limit
  }
}
