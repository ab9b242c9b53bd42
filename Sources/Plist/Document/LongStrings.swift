/// What a binary document remembers about its strings of 1 KiB and more: which are malformed, and the text and hash of
/// those that are keys.
///
/// Very many references can lead to one string, so a program that asks each reference for its kind, or each dictionary
/// for its keys, must not make us read the string each time. It is read and paid for once, malformed or not. Strings
/// that share no bytes never exceed the limit, however long a program keeps the document.
struct LongStrings: ~Copyable, Sendable {
  // Private types of a noncopyable type crash Swift 6.3 in debug builds.
  enum Check {
    /// Paid for; the paying thread is reading the string, and so is any other that asks meanwhile.
    case begun
    case valid
    case malformed(BinaryFailure)
  }

  struct State {
    var checks: [Int: Check] = [:]
    var keys: [Int: String] = [:]
    /// The hashes of keys in ``LookUpTable``s.
    var hashes: [Int: UInt32] = [:]
    /// How many bytes all checked strings have.
    var byteCount = 0
  }

  private let state = Guarded(State())

  /// Reading a shorter string again costs about as much as finding out that it has been read.
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

  /// Returns the text of a long key that has been checked, which `read` reads the first time.
  func key(_ object: Int, _ read: () -> String?) -> String? {
    if let key = state.withLock({ $0.keys[object] }) { return key }
    guard let key = read() else { return nil }
    state.withLock { $0.keys[object] = key }
    return key
  }
}

extension DocumentIndex {
  /// Returns why the bytes of a string are malformed; nil if they are not, and for all other objects.
  ///
  /// - Complexity: O(*n*) in the length of the string the first time, then O(1).
  func textFailure(of object: BinaryObject, _ number: Int, in bytes: RawSpan) -> BinaryFailure? {
    guard LongStrings.isLong(object) else { return object.textFailure(in: bytes) }
    return longStrings.failure(of: object, number, in: bytes, limit: options.limits.payload(inDocumentOf: byteCount))
  }
}
