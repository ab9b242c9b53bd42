/// Tokens that have been read in advance from a document.
///
/// Each access to `Data.bytes` takes about 80 instructions. If a reader requested the bytes for each token, reading the
/// events of a binary document would take 1.5 times as long.
struct PlistTokenBatch {
  /// A buffer of `capacity` tokens; the tokens from ``position`` up to ``end`` have not been returned yet.
  private var tokens: [PlistToken] = []
  private var position = 0
  private var end = 0

  /// A buffer of 40 tokens takes less than 1 KiB, so glibc allocates the buffer fast, and the buffer stays in the
  /// processor's first-level cache.
  private static let capacity = 40

  @inline(__always)
  mutating func next() -> PlistToken? {
    guard position < end else { return nil }
    defer { position &+= 1 }
    return tokens[position]
  }

  /// Fills the batch with tokens of `reader`; all earlier tokens of the batch must have been returned.
  ///
  /// The token ``PlistToken/Kind/end`` is not part of the batch. If an error is thrown, the batch has the tokens before
  /// the error.
  ///
  /// - Returns: Whether the document ends after the tokens of the batch.
  mutating func fill<Reader: PlistTokenReader>(
    from reader: inout Reader, in source: PlistSource
  ) throws(PlistError) -> Bool {
    if tokens.isEmpty { tokens = Array(repeating: PlistToken(.end), count: Self.capacity) }
    var consumer = Consumer(tokens: tokens)
    tokens = []
    defer {
      position = 0
      end = consumer.count
      tokens = consumer.tokens
    }
    do {
      return try source.withBytes { (bytes) throws(Reader.Failure) in
        while consumer.acceptsTokens {
          Self.run(&reader, in: bytes, into: &consumer)
          guard consumer.acceptsTokens else { break }
          let token = try reader.next(in: bytes)
          if token.kind == .end { return true }
          consumer.take(token, at: reader.tokenStart, in: bytes)
        }
        return false
      }
    } catch {
      throw reader.error(for: error, in: source)
    }
  }

  /// Calls the fast path of the reader.
  ///
  /// The method `run` is not inlined, because `fill` takes 4 % longer for XML if the fast path is inlined into `fill`.
  @inline(never)
  private static func run<Reader: PlistTokenReader>(
    _ reader: inout Reader, in bytes: RawSpan, into consumer: inout Consumer
  ) {
    reader.run(in: bytes, into: &consumer)
  }

  private struct Consumer: PlistTokenConsumer, ~Copyable {
    var tokens: [PlistToken]
    var count = 0

    init(tokens: consuming [PlistToken]) { self.tokens = tokens }

    static var readsScalars: Bool { true }

    var acceptsTokens: Bool { count &+ 2 <= tokens.count }

    /// A token with short text contains a copy of the text, so an event of such a token need not refer to the source.
    @inline(__always)
    mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan) {
      tokens[count] = token.holdingInlineText(of: bytes)
      count &+= 1
    }
  }
}

extension PlistTokenReader {
  /// Fills an empty batch, and returns whether the document ends after the tokens of the batch.
  mutating func fill(_ batch: inout PlistTokenBatch, in source: PlistSource) throws(PlistError) -> Bool {
    try batch.fill(from: &self, in: source)
  }
}
