/// ASCII of at most fifteen bytes in two words, so that an event of it refers to no document.
///
/// Events of short text would otherwise retain and release the source of the document.
struct InlineText: Sendable {
  private let low: UInt64
  // The last seven bytes, and the count above them.
  private let high: UInt64

  /// The most bytes that fit.
  private static var largestCount: Int { 15 }

  /// The text of words that ``words`` has given.
  @inline(__always)
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The text of `count` bytes at `start`, which are ASCII; nil if they are too many, or nothing is behind them.
  @inline(__always)
  init?(_ bytes: RawSpan, at start: Int, count: Int) {
    guard count >= 0, count <= Self.largestCount, start >= 0, start <= bytes.byteCount &- 16 else { return nil }
    let (first, second) = (bytes.word(at: start), bytes.word(at: start &+ 8))
    // Without branches: how long texts are is hard to predict.
    let part = (1 &<< UInt64(truncatingIfNeeded: (count & 7) &* 8)) &- 1
    let isLong = UInt64(bitPattern: Int64(truncatingIfNeeded: (7 &- count) &>> 63))
    low = first & (part | isLong)
    high = second & (part & isLong) | UInt64(truncatingIfNeeded: count) << 56
  }

  /// The words that it can be made of again.
  @inline(__always)
  var words: (low: UInt64, high: UInt64) { (low, high) }

  /// The number of bytes.
  @inline(__always)
  private var count: Int { Int(truncatingIfNeeded: high >> 56 & 0xF) }

  /// The text as a string.
  var string: String { withWords { String(utf8: $0, in: 0..<count) } }

  /// Calls `body` with the bytes.
  @inline(__always)
  func withSpan<Result>(_ body: (RawSpan) -> Result) -> Result { withWords { body($0.extracting(0..<count)) } }

  @inline(__always)
  private func withWords<Result>(_ body: (RawSpan) -> Result) -> Result {
    let words = (low.littleEndian, high.littleEndian)
    // Sound: the span is used only within the closure.
    return unsafe withUnsafeBytes(of: words) { body(unsafe $0.bytes) }
  }
}
