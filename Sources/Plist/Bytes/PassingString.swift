/// A string that is looked at and let go of, as the names of keys are.
///
/// To let go of a string is a call of the runtime even where nothing is counted, as with literals and with those that are
/// held by the string itself; what that is, the string's own bits tell. `PassingStringTests` shows that nothing leaks.
@safe struct PassingString: ~Copyable {
  #if _endian(little) && (arch(x86_64) || arch(arm64)) && (os(Linux) || canImport(Darwin))
  private let words: (low: UInt64, high: UInt64)

  @inline(__always)
  init(_ string: consuming String) {
    var words: (low: UInt64, high: UInt64) = (0, 0)
    unsafe Self.move(string, to: &words)
    self.words = words
  }

  deinit {
    // The top bit says that nobody counts references.
    if words.high >> 63 == 0 { Self.release(words) }
  }

  // Sound, all of these: strings are two words here, which are moved in once and, but for those that refer to nothing that
  // is counted, out once.

  @inline(__always)
  private static func move(_ string: consuming String, to words: UnsafeMutablePointer<(low: UInt64, high: UInt64)>) {
    unsafe UnsafeMutableRawPointer(words).assumingMemoryBound(to: String.self).initialize(to: string)
  }

  @inline(never)
  private static func release(_ words: (low: UInt64, high: UInt64)) {
    var words = words
    unsafe withUnsafeMutableBytes(of: &words) { bytes in
      _ = unsafe bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: String.self).deinitialize(count: 1)
    }
  }

  /// The string, counted.
  var string: String { unsafe unsafeBitCast(words, to: String.self) }

  /// Calls `body` with the string, not counted for it.
  @inline(__always)
  func withString<Result>(_ body: (String) throws -> Result) rethrows -> Result {
    try unsafe withUnsafeBytes(of: words) { bytes in
      try body(unsafe bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: String.self).pointee)
    }
  }

  /// Whether both are represented by the same bits; see ``Swift/String/hasSameBits(as:)``.
  @inline(__always)
  func hasSameBits(as other: String) -> Bool {
    let other = unsafe unsafeBitCast(other, to: (UInt64, UInt64).self)
    return words.low == other.0 && words.high == other.1
  }
  #else
  let string: String

  init(_ string: consuming String) { self.string = string }

  func withString<Result>(_ body: (String) throws -> Result) rethrows -> Result { try body(string) }

  func hasSameBits(as other: String) -> Bool { string.hasSameBits(as: other) }
  #endif
}
