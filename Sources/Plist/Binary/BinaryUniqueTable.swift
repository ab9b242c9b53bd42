/// Finds the object that is encoded as given bytes: an open-addressing table over the objects written so far.
///
/// Two scalars are the same object where their encodings are: reals by their bits, strings by their code units, so
/// that 0.0 and −0.0, or composed and decomposed text, stay apart.
struct BinaryUniqueTable {
  private struct Entry {
    var hash: UInt64
    /// The object's number plus one; 0 for an empty entry.
    var object: UInt32
    /// Where its encoding begins.
    var start: Int
  }

  private var entries: [Entry]
  private var count = 0
  private let hasher = ByteHash()

  init() { entries = [Entry](repeating: Entry(hash: 0, object: 0, start: 0), count: 64) }

  /// The object whose encoding is the last `range` of `bytes`, or nil after noting that this one is `object`.
  @inline(__always)
  mutating func object(encodedIn bytes: RawSpan, _ range: Range<Int>, orAdd object: UInt32) -> UInt32? {
    let hash = hasher.hash(bytes, in: range)
    let mask = entries.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while entries[slot].object != 0 {
      // An encoding says how long it is, so one that begins with the same bytes is the same.
      if entries[slot].hash == hash,
        bytes.areEqual(entries[slot].start, range.lowerBound, length: range.upperBound - range.lowerBound)
      {
        return entries[slot].object - 1
      }
      slot = (slot + 1) & mask
    }
    entries[slot] = Entry(hash: hash, object: object + 1, start: range.lowerBound)
    count += 1
    if count * 2 > entries.count { grow() }
    return nil
  }

  @inline(never)
  private mutating func grow() {
    let old = entries
    entries = [Entry](repeating: Entry(hash: 0, object: 0, start: 0), count: old.count * 2)
    let mask = entries.count - 1
    for entry in old where entry.object != 0 {
      var slot = Int(truncatingIfNeeded: entry.hash) & mask
      while entries[slot].object != 0 { slot = (slot + 1) & mask }
      entries[slot] = entry
    }
  }
}
