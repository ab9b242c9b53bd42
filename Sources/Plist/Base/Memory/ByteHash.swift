/// A fast seeded hash of bytes and words, for tables in which the order of entries does not matter.
///
/// Each word is mixed into the state by a 64-to-128-bit multiplication whose halves are then combined. The seed differs
/// in each process, so nobody can prepare values that collide.
struct ByteHash {
  private let seed: UInt64

  /// Drawn only once, because each random number takes a system call.
  private static let processSeed = UInt64.random(in: .min ... .max)

  init() { seed = Self.processSeed }

  /// Returns the initial state for a value of a certain kind or length.
  ///
  /// `kind` is multiplied into the seed, because with a plain XOR one could construct two strings of different lengths
  /// whose hashes are equal in every process.
  func begin(_ kind: UInt64) -> UInt64 { Self.mix(seed, kind) }

  static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    // The fractional part of the golden ratio in 64 bits, which is odd and has no regular pattern.
    let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }

  func end(_ state: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: Self.mix(state, seed) >> 32) }

  @inline(__always)
  func hash(_ word: UInt64, kind: UInt64) -> UInt32 { end(Self.mix(begin(kind), word)) }

  /// Returns the hash of all bytes, or of an evenly spread sample of about 512 bytes if `isSample` is true.
  func hash(_ bytes: RawSpan, isSample: Bool) -> UInt32 {
    let count = bytes.byteCount
    return end(state(of: bytes, in: 0..<count, stride: isSample ? max(8, count / 64 & ~7) : 8))
  }

  /// Returns the hash of the bytes in `range`, which equals the hash of a string with the same bytes.
  func hash(_ bytes: RawSpan, in range: Range<Int>) -> UInt32 { end(state(of: bytes, in: range)) }

  /// Returns the state after hashing the bytes in `range` as words at a fixed stride.
  ///
  /// The last word is always included, even if it overlaps the one before it.
  @inline(__always)
  func state(of bytes: RawSpan, in range: Range<Int>, stride: Int = 8) -> UInt64 {
    let (start, count) = (range.lowerBound, range.count)
    var state = begin(UInt64(count))
    guard count >= 8 else {
      if count == 0 { return state }
      if start <= bytes.byteCount &- 8 {
        // The shift drops the bytes after the range.
        return Self.mix(state, bytes.word(at: start) &<< UInt64(64 &- 8 &* count))
      }
      return Self.mix(state, bytes.extracting(range).lastWord(of: count) &<< UInt64(64 &- 8 &* count))
    }
    precondition(start >= 0 && range.upperBound <= bytes.byteCount)
    let last = range.upperBound - 8
    var offset = start
    while offset < last {
      // Sound: the word is within the range, which is within the span.
      state = Self.mix(state, unsafe bytes.uncheckedWord(at: offset))
      offset += stride
    }
    return Self.mix(state, bytes.word(at: last))
  }
}

extension String {
  /// Returns a hash of the UTF-8 bytes that stays the same for the lifetime of the process.
  func keyHash() -> UInt32 { withByteSpan { ByteHash().hash($0, isSample: false) } }
}

extension ByteCursor {
  /// Writes `text` and returns its hash and whether it is ASCII.
  @inline(__always)
  mutating func put(hashing text: RawSpan, _ hasher: ByteHash) -> (hash: UInt32, isASCII: Bool) {
    let count = text.byteCount
    put(text, before: 0)
    var state = hasher.begin(UInt64(count))
    var all: UInt64 = 0
    var offset = -count
    while offset < 0 {
      // Sound: the word is within the bytes just written and the zeros after them.
      let word = unsafe word(at: offset)
      all |= word
      state = ByteHash.mix(state, word)
      offset &+= 8
    }
    return (hasher.end(state), all & ByteSearch.highBits == 0)
  }
}
