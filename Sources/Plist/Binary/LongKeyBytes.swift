/// A count of the bytes of one binary dictionary's long keys.
///
/// All pairs of a dictionary can refer to the same string. Every reader of binary keys limits this count, to bound the
/// memory and time that the keys of one dictionary take.
struct LongKeyBytes {
  private var count = 0

  /// Adds the size of a key if the key is long, and returns whether the count is at most `limit`.
  @inline(__always)
  mutating func add(_ size: Int, limit: Int) -> Bool {
    if size >= BinaryReader.longPayload { count += size }
    return count <= limit
  }
}
