/// A batch of tokens read in advance.
///
/// Accessing `Data.bytes` takes about 80 instructions. Doing so for each token would make reading events from a binary
/// document take 1.5 times as long.
struct PlistTokenBatch {
  /// A buffer of `capacity` tokens; the ones from ``position`` to ``end`` have not been returned yet.
  fileprivate var tokens: [PlistToken] = []
  fileprivate var position = 0
  fileprivate var end = 0

  /// 40 tokens take less than 1 KiB, which glibc allocates quickly and which stays in the first-level cache.
  fileprivate static let capacity = 40

  mutating func next() -> PlistToken? {
    guard position < end else { return nil }
    defer { position &+= 1 }
    return tokens[position]
  }

  /// Calls the reader's fast path; inlining it into `fill` would make it 4 % slower for XML.
  @inline(never)
  fileprivate static func run<Reader: PlistTokenReader>(
    _ reader: inout Reader, in bytes: RawSpan, into consumer: inout Consumer
  ) {
    reader.run(in: bytes, into: &consumer)
  }

  fileprivate struct Consumer: PlistTokenConsumer, ~Copyable {
    var tokens: [PlistToken]
    var count = 0

    init(tokens: consuming [PlistToken]) { self.tokens = tokens }

    static var readsScalars: Bool { true }

    var acceptsTokens: Bool { count &+ 2 <= tokens.count }

    /// Takes a token, and copies short text into it so that the event does not have to refer to the source.
    @inline(__always)
    mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan) {
      tokens[count] = token.holdingInlineText(of: bytes)
      count &+= 1
    }
  }
}

extension PlistTokenReader {
  /// Refills a batch whose tokens have all been returned.
  ///
  /// The batch does not include ``PlistToken/Kind/end``. If an error is thrown, the batch contains the tokens before
  /// the error.
  ///
  /// - Returns: Whether the document ends after the batch.
  mutating func fill(_ batch: inout PlistTokenBatch, in source: PlistSource) throws(PlistError) -> Bool {
    if batch.tokens.isEmpty { batch.tokens = Array(repeating: PlistToken(.end), count: PlistTokenBatch.capacity) }
    var consumer = PlistTokenBatch.Consumer(tokens: batch.tokens)
    batch.tokens = []
    defer {
      batch.position = 0
      batch.end = consumer.count
      batch.tokens = consumer.tokens
    }
    do {
      return try source.withBytes { (bytes) throws(Failure) in
        while consumer.acceptsTokens {
          PlistTokenBatch.run(&self, in: bytes, into: &consumer)
          guard consumer.acceptsTokens else { break }
          let token = try next(in: bytes)
          if token.kind == .end { return true }
          consumer.take(token, at: tokenStart, in: bytes)
        }
        return false
      }
    } catch {
      throw self.error(for: error, in: source)
    }
  }
}
