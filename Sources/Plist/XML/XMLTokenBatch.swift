struct XMLTokenBatch {
  /// A buffer of `capacity` tokens; the tokens from ``position`` up to ``end`` have not been returned yet.
  private var tokens: [PlistToken] = []
  private var position = 0
  private var end = 0

  /// The capacity of 64 tokens is so small that the tokens stay in the processor's first-level cache.
  private static let capacity = 64

  @inline(__always)
  mutating func next() -> PlistToken? {
    guard position < end else { return nil }
    defer { position &+= 1 }
    return tokens[position]
  }

  /// Fills the batch from the fast path of `reader`; all earlier tokens of the batch must have been returned.
  mutating func refill(from reader: inout XMLReader, _ bytes: RawSpan) {
    if tokens.isEmpty { tokens = Array(repeating: PlistToken(.end), count: Self.capacity) }
    position = 0
    var consumer = Consumer(tokens: tokens)
    tokens = []
    reader.run(in: bytes, into: &consumer)
    end = consumer.count
    tokens = consumer.tokens
  }

  private struct Consumer: PlistTokenConsumer, ~Copyable {
    var tokens: [PlistToken]
    var count = 0

    init(tokens: consuming [PlistToken]) { self.tokens = tokens }

    static var readsScalars: Bool { true }

    var acceptsTokens: Bool { count &+ 2 <= tokens.count }

    @inline(__always)
    mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan) {
      tokens[count] = token.holdingInlineText(of: bytes)
      count &+= 1
    }
  }
}
