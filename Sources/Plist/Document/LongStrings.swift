/// A cache of which strings of 1 KiB or more in a binary document are malformed, and of the text and hash of those that
/// are keys.
///
/// A huge number of references can lead to the same string, so if a program asks each reference for its kind, or each
/// dictionary for its keys, we must not read the string every time. It is read, and counted against the limit, only
/// once, even if it is malformed. Strings that share no bytes never exceed the limit, no matter how long a program
/// keeps the document.
struct LongStrings: ~Copyable, Sendable {
  // Private types nested in a noncopyable type crash Swift 6.3 in debug builds.
  enum Check {
    /// The string has been counted against the limit and is being read, by the thread that counted it and by any other
    /// that asks in the meantime.
    case begun
    case valid
    case malformed(BinaryFailure)
  }

  struct State {
    var checks: [Int: Check] = [:]
    var keys: [Int: String] = [:]
    /// The hashes of keys in ``LookUpTable``s.
    var hashes: [Int: UInt32] = [:]
    /// The total size of all checked strings, in bytes.
    var byteCount = 0
  }

  private let state = Guarded(State())

  /// Rereading a shorter string takes about as long as finding out that it has already been read.
  private static let shortestRemembered = 1 << 10

  static func isLong(_ object: BinaryObject) -> Bool { object.count >= shortestRemembered && object.isText }

  /// Returns the hash of a key, which `make` computes the first time.
  func hash(of key: PlistToken, _ object: Int, _ make: () -> UInt32) -> UInt32 {
    guard key.count >= Self.shortestRemembered else { return make() }
    if let hash = state.withLock({ $0.hashes[object] }) { return hash }
    let hash = make()
    state.withLock { $0.hashes[object] = hash }
    return hash
  }

  fileprivate func failure(of string: BinaryObject, _ object: Int, in bytes: RawSpan, limit: Int) -> BinaryFailure? {
    let check = state.withLock { state -> Check? in
      if let check = state.checks[object] { return check }
      guard string.count <= limit - state.byteCount else { return nil }
      state.byteCount += string.count
      state.checks[object] = .begun
      return .begun
    }
    switch check {
    case .valid: return nil
    case .malformed(let failure): return failure
    case nil: return BinaryFailure(.tooMuchPayload, at: string.start, detail: limit)
    case .begun:
      let failure = string.textFailure(in: bytes)
      state.withLock { $0.checks[object] = failure.map { .malformed($0) } ?? .valid }
      return failure
    }
  }

  /// Returns the text of a long key that has been checked, calling `read` to read it the first time.
  func key(_ object: Int, _ read: () -> String?) -> String? {
    if let key = state.withLock({ $0.keys[object] }) { return key }
    guard let key = read() else { return nil }
    state.withLock { $0.keys[object] = key }
    return key
  }
}

extension DocumentIndex {
  /// Returns why a string is malformed or exceeds the limit, or nil for valid strings and for all other objects.
  ///
  /// - Complexity: O(*n*) in the length of the string the first time, then O(1).
  func textFailure(of object: BinaryObject, _ number: Int, in bytes: RawSpan) -> BinaryFailure? {
    guard LongStrings.isLong(object) else { return object.textFailure(in: bytes) }
    return longStrings.failure(of: object, number, in: bytes, limit: options.limits.payload(inDocumentOf: byteCount))
  }
}
