/// Short strings, made of their bytes in registers.
///
/// A string of up to fifteen bytes of UTF-8 is held in the two words of the `String` itself. Most keys and values of
/// property lists are that short, and to go through the standard library for each takes as long as all else that is
/// done to read it.
///
/// The layout is part of the ABI on Apple's systems. On Linux it is the same, but not promised: `ShortStringTests` checks
/// every length, and so does each use in a debug build. Everywhere else strings are not made so.
enum ShortString {
  /// The most bytes that such a string has.
  static let largestCount = 15
  /// The top four bits of the second word, which such strings alone have that are ASCII; the count is below.
  static let nibble: UInt64 = 0xE
  private static let mark = nibble << 60

  /// Whether strings are laid out here as ``words(_:at:count:)`` lays them out.
  @inline(__always)
  static var isLayoutKnown: Bool {
    #if _endian(little) && (arch(x86_64) || arch(arm64)) && (os(Linux) || canImport(Darwin))
    return MemoryLayout<String>.size == 16
    #else
    return false
    #endif
  }

  /// The words of the string of `count` bytes at `start`, whatever the bytes are.
  ///
  /// - Precondition: There are sixteen bytes, and `count` is at most ``largestCount``.
  @inline(__always)
  static func words(_ bytes: RawSpan, at start: Int, count: Int) -> (UInt64, UInt64) {
    let low = bytes.word(at: start)
    let high = bytes.word(at: start &+ 8)
    // Without branches: how long texts are is hard to predict.
    let part = (1 &<< UInt64(truncatingIfNeeded: (count & 7) &* 8)) &- 1
    let isLong = UInt64(bitPattern: Int64(truncatingIfNeeded: (7 &- count) &>> 63))
    let (lowMask, highMask) = (part | isLong, part & isLong)
    return (low & lowMask, high & highMask | mark | UInt64(truncatingIfNeeded: count) << 56)
  }

  /// The words of the string of `count` bytes at `start`, if they are ASCII and few, and there are some more behind them;
  /// else nil, and the string must be made in another way.
  @inline(__always)
  static func asciiWords(_ bytes: RawSpan, at start: Int, count: Int) -> (UInt64, UInt64)? {
    guard count <= largestCount, start >= 0, start <= bytes.byteCount &- 16, isLayoutKnown else { return nil }
    let words = words(bytes, at: start, count: count)
    return (words.0 | words.1 & ~(0xFF << 56)) & ByteSearch.highBits == 0 ? words : nil
  }
}

extension String {
  /// The string of `count` bytes at `start`, if they are ASCII and few, and there are some more behind them; else nil,
  /// and the string must be made in another way.
  @inline(__always)
  init?(short bytes: RawSpan, at start: Int, count: Int) {
    guard let words = ShortString.asciiWords(bytes, at: start, count: count) else { return nil }
    self.init(words: words)
    assert(utf8.count == count && utf8.first == (count > 0 ? bytes.byte(at: start) : nil))
  }

  /// The string of ``ShortString/asciiWords(_:at:count:)``.
  @inline(__always)
  init(words: (UInt64, UInt64)) {
    // Sound: the layout is this one, and what is in it is ASCII. It is moved, since to copy it looks for references.
    var words = words
    self = unsafe Self.move(&words)
  }

  @inline(__always)
  private static func move(_ words: UnsafeMutablePointer<(UInt64, UInt64)>) -> String {
    unsafe UnsafeMutableRawPointer(words).assumingMemoryBound(to: String.self).move()
  }
}
