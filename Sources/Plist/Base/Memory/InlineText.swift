/// ASCII text of at most fifteen bytes in two words, so an event with short text doesn't have to retain and release the
/// document's source.
struct InlineText: Sendable {
  private let low: UInt64
  // Bytes 8 to 14; the top byte holds the number of bytes.
  private let high: UInt64

  private static var largestCount: Int { 15 }

  @inline(__always)
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Copies `count` bytes, or returns nil if that is more than fifteen or the span has fewer than sixteen bytes from
  /// `start` on.
  @inline(__always)
  init?(_ bytes: RawSpan, at start: Int, count: Int) {
    guard count >= 0, count <= Self.largestCount, start >= 0, start <= bytes.byteCount &- 16 else { return nil }
    let (first, second) = (bytes.word(at: start), bytes.word(at: start &+ 8))
    // Avoid branching on the length of the text, because the branch would often be mispredicted.
    let part = (1 &<< UInt64(truncatingIfNeeded: (count & 7) &* 8)) &- 1
    let isLong = UInt64(bitPattern: Int64(truncatingIfNeeded: (7 &- count) &>> 63))
    low = first & (part | isLong)
    high = second & (part & isLong) | UInt64(truncatingIfNeeded: count) << 56
  }

  var words: (low: UInt64, high: UInt64) { (low, high) }

  private var count: Int { Int(truncatingIfNeeded: high >> 56 & 0xF) }

  var string: String { withWords { String(utf8: $0, in: 0..<count) } }

  func withSpan<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
    try withWords { (words) throws(Failure) in try body(words.extracting(0..<count)) }
  }

  private func withWords<Value, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let words = (low.littleEndian, high.littleEndian)
    // Sound: the span is used only within the closure.
    return try unsafe withUnsafeBytes(of: words) { (bytes) throws(Failure) in try body(unsafe bytes.bytes) }
  }
}
