/// A fast seeded hash of bytes and words, for tables in which the order of the entries does not matter.
///
/// Each word is mixed into the state by a 64-to-128-bit multiplication, and the halves of the product are combined. The
/// seed differs from process to process, so that an attacker cannot prepare values that collide.
struct ByteHash {
  private let seed: UInt64

  /// The seed of the process, drawn only once because each draw of a random number is a system call.
  private static let processSeed = UInt64.random(in: .min ... .max)

  init() { seed = Self.processSeed }

  /// Returns the initial state of a hash; `kind` is a number for the kind or the length of the value.
  @inline(__always)
  func begin(_ kind: UInt64) -> UInt64 { seed ^ kind }

  @inline(__always)
  static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    // The multiplier is the fractional part of the golden ratio in 64 bits. The multiplier is odd, and its bits have no
    // pattern.
    let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }

  @inline(__always)
  func end(_ state: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: Self.mix(state, seed) >> 32) }

  @inline(__always)
  func hash(_ word: UInt64, kind: UInt64) -> UInt32 { end(Self.mix(begin(kind), word)) }

  /// Returns the hash of all bytes, or of an evenly spread sample of about 512 bytes if `isSample` is true.
  func hash(_ bytes: RawSpan, isSample: Bool) -> UInt32 {
    let count = bytes.byteCount
    var state = begin(UInt64(count))
    // The bytes are read in words, and the last word can overlap the preceding word. For a sample, the function reads
    // words at a fixed stride.
    let stride = isSample ? max(8, count / 64 & ~7) : 8
    var offset = 0
    while offset <= count - 8 {
      // Sound: the condition of the loop ensures that the word is within the span.
      state = Self.mix(state, unsafe bytes.uncheckedWord(at: offset))
      offset += stride
    }
    if count >= 8 {
      state = Self.mix(state, bytes.word(at: count - 8))
    } else if count > 0 {
      state = Self.mix(state, bytes.lastWord(of: count))
    }
    return end(state)
  }
}

extension ByteCursor {
  @inline(__always)
  mutating func put(hashing text: RawSpan, _ hasher: ByteHash) -> (hash: UInt32, isASCII: Bool) {
    let count = text.byteCount
    var state = hasher.begin(UInt64(count))
    var all: UInt64 = 0
    var offset = 0
    while offset <= count - 8 {
      // Sound: the condition of the loop ensures that the word is within the span.
      let word = unsafe text.uncheckedWord(at: offset)
      put(word: word)
      all |= word
      state = ByteHash.mix(state, word)
      offset += 8
    }
    if offset < count {
      let word = text.lastWord(of: count - offset)
      put(word: word, width: count - offset)
      all |= word
      state = ByteHash.mix(state, word)
    }
    return (hasher.end(state), all & ByteSearch.highBits == 0)
  }
}

extension ByteCursor {
  /// In the result, `isASCII` is true if the string has exactly `count` bytes, all of them below 0x80.
  @inline(__always)
  mutating func put(hashing text: String, count: Int, _ hasher: ByteHash) -> (hash: UInt32, isASCII: Bool) {
    guard put(utf8: text, count: count, before: 0) else { return (0, false) }
    var state = hasher.begin(UInt64(count))
    var all: UInt64 = 0
    var offset = -count
    while offset < 0 {
      // Sound: the word is within the bytes just written and the zeros after these bytes.
      let word = unsafe word(at: offset)
      all |= word
      state = ByteHash.mix(state, word)
      offset &+= 8
    }
    return (hasher.end(state), all & ByteSearch.highBits == 0)
  }
}

extension RawSpan {
  @inline(__always)
  func hasSameBytes(at first: Int, as other: RawSpan, at second: Int, length: Int) -> Bool {
    guard length >= 8 else {
      for offset in 0..<length where byte(at: first + offset) != other.byte(at: second + offset) { return false }
      return true
    }
    precondition(
      first >= 0 && second >= 0 && first <= byteCount &- length && second <= other.byteCount &- length)
    // Sound: here and below, both ranges are within their spans.
    var offset = 0
    while offset < length - 8 {
      if unsafe uncheckedWord(at: first &+ offset) != other.uncheckedWord(at: second &+ offset) { return false }
      offset += 8
    }
    return unsafe uncheckedWord(at: first &+ length &- 8) == other.uncheckedWord(at: second &+ length &- 8)
  }
}

extension RawSpan {
  /// Returns whether the bytes from `start` to the end of the span also occur at the offset `earlier`.
  ///
  /// `earlier` must be at least 8 and less than `start`.
  @inline(__always)
  func hasSameBytes(from start: Int, at earlier: Int) -> Bool {
    let length = byteCount - start
    if length <= 9 {
      // Most encoded values have at most nine bytes and need no loop. The last eight bytes of a value are compared as
      // one word, after a shift has removed the bytes before the value.
      let left = word(at: byteCount - 8) >> UInt64(max(0, 64 - 8 * length))
      let right = word(at: earlier + length - 8) >> UInt64(max(0, 64 - 8 * length))
      return left == right && byte(at: start) == byte(at: earlier)
    }
    return hasSameBytes(at: earlier, as: self, at: start, length: length)
  }
}
