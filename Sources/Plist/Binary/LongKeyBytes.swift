/// A count of the bytes in the long keys of one binary dictionary, or of all dictionaries of a binary document.
///
/// All pairs of all dictionaries in a binary document can refer to the same string as their key. Each reader of binary
/// keys limits the total size of one dictionary's long keys, to bound the memory and the time for these keys.
/// Readers of many dictionaries also limit the total size of the long keys in all dictionaries, to bound the time.
struct LongKeyBytes {
  private(set) var count = 0

  /// Adds the size of a long key, and returns whether the total size of the long keys is at most `limit`.
  mutating func add(_ size: Int, limit: Int) -> Bool {
    if size >= BinaryReader.longPayload { count = count.addingReportingOverflow(size).partialValue }
    return 0...limit ~= count
  }

  /// Returns the limit for all dictionaries of a document; `limit` is the limit for one dictionary.
  ///
  /// An ordinary array of dictionaries can repeat the same keys in each dictionary, and each repetition takes only a few
  /// bytes. The limit is therefore 64 times the limit for one dictionary.
  static func limit(forAll limit: Int) -> Int {
    let (product, overflow) = limit.multipliedReportingOverflow(by: 64)
    return overflow ? .max : product
  }
}
