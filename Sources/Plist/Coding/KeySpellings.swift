/// How the keys of a dictionary are spelled in a document, to find out whether those of another one are the same.
///
/// Nothing in it refers to the document, so that it serves for others as well.
struct KeySpellings {
  private(set) var marks: [Mark] = []
  /// The bytes of the long keys.
  private(set) var bytes: [UInt8] = []

  /// The spelling of one key.
  struct Mark {
    let form: PlistToken.Form
    /// The number of bytes.
    let count: Int
    /// What its entry in the index of an XML document is.
    let entry: XMLIndexEntry.PlainKey
    /// The first eight bytes and the last, or as many as there are.
    fileprivate let first: UInt64
    fileprivate let last: UInt64
    /// The bits of the first eight bytes that belong to the key.
    fileprivate let mask: UInt64
    /// Where in ``KeySpellings/bytes`` those of a long key are.
    fileprivate let offset: Int

    /// Keys of more bytes are more than their two ends.
    fileprivate static var endsCount: Int { 16 }
  }

  mutating func reserve(_ count: Int) { marks.reserveCapacity(count) }

  /// Adds the key that stands in `document` as `token` says.
  mutating func append(_ token: PlistToken, in document: RawSpan) {
    let start = token.range.lowerBound
    let mask = token.count < 8 ? 1 << UInt64(8 * token.count) &- 1 : UInt64.max
    let (first, last) = Self.ends(of: document, at: start, count: token.count, mask: mask)
    marks.append(
      Mark(
        form: token.form, count: token.count, entry: XMLIndexEntry.PlainKey(token.form, count: token.count),
        first: first, last: last, mask: mask, offset: bytes.count))
    if token.count > Mark.endsCount { for offset in token.range { bytes.append(document.byte(at: offset)) } }
  }

  /// Both ends of a key; zeros where it is at the end of the document.
  @inline(__always)
  fileprivate static func ends(
    of document: RawSpan, at start: Int, count: Int, mask: UInt64
  ) -> (UInt64, UInt64) {
    guard start <= document.byteCount &- 8 else { return (0, 0) }
    return (document.word(at: start) & mask, count > 8 ? document.word(at: start &+ count &- 8) : 0)
  }
}

extension KeySpellings.Mark {
  /// Whether as many bytes at `start` as this has are the same, those of long keys being in `spelling`.
  @inline(__always)
  func matches(_ document: RawSpan, at start: Int, spelling: BorrowedBytes) -> Bool {
    let ends = KeySpellings.ends(of: document, at: start, count: count, mask: mask)
    return ends.0 == first && ends.1 == last
      && (count <= Self.endsCount || Self.isSame(document, at: start, as: spelling, at: offset, count: count))
  }

  @inline(never)
  private static func isSame(
    _ document: RawSpan, at start: Int, as spelling: BorrowedBytes, at offset: Int, count: Int
  ) -> Bool {
    spelling.withSpan { $0.hasSameBytes(at: offset, as: document, at: start, length: count) }
  }
}
