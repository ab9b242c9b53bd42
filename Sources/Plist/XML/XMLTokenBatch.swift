/// Tokens that have been read and wait to be asked for.
struct XMLTokenBatch: XMLTokenConsumer {
  private var tokens: [PlistToken] = []
  private var position = 0

  /// Few enough to stay in the processor's nearest cache.
  private static let capacity = 64

  static var readsScalars: Bool { true }

  var hasRoom: Bool { tokens.count <= Self.capacity - 2 }

  @inline(__always)
  mutating func take(_ token: PlistToken, at start: Int) { tokens.append(token) }

  /// Takes out the token that was read first.
  @inline(__always)
  mutating func next() -> PlistToken? {
    guard position < tokens.count else { return nil }
    defer { position += 1 }
    return tokens[position]
  }

  /// Forgets what has been taken out.
  mutating func removeAll() {
    tokens.removeAll(keepingCapacity: true)
    position = 0
    if tokens.capacity == 0 { tokens.reserveCapacity(Self.capacity) }
  }
}
