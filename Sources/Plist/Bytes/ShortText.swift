/// ASCII of at most fifteen bytes, held in two words as a `String` of it would be.
///
/// It refers to nothing, so that passing it on costs no reference count.
struct ShortText: Sendable {
  private let low: UInt64
  private let high: UInt64

  /// The words of text that ``init(_:at:count:)`` has made.
  @inline(__always)
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The text of `count` bytes at `start`, which are ASCII; nil where they are too many, or nothing is behind them.
  @inline(__always)
  init?(_ bytes: RawSpan, at start: Int, count: Int) {
    guard count <= ShortString.largestCount, start >= 0, start <= bytes.byteCount &- 16 else { return nil }
    (low, high) = ShortString.words(bytes, at: start, count: count)
  }

  /// The words that it can be made of again.
  @inline(__always)
  var words: (low: UInt64, high: UInt64) { (low, high) }

  /// How many bytes the text has.
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: high >> 56 & 0xF) }

  /// The text as a string.
  @inline(__always)
  var string: String {
    // Sound: the layout is this one, and what is in it is ASCII.
    if ShortString.isLayoutKnown { return unsafe unsafeBitCast((low, high), to: String.self) }
    return withSpan { String(utf8: $0, in: 0..<count) }
  }

  /// Calls `body` with the bytes.
  @inline(__always)
  func withSpan<Result>(_ body: (RawSpan) -> Result) -> Result {
    var words = (low.littleEndian, high.littleEndian)
    // Sound: the span is used only within the closure, and at most fifteen of the sixteen bytes are in it.
    return unsafe withUnsafeBytes(of: &words) { unsafe body($0.bytes.extracting(0..<count)) }
  }
}
