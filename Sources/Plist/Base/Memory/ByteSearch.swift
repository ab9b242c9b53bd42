/// Searches that compare the eight bytes of a word at once.
///
/// In `x = word ^ pattern`, each matching byte becomes zero, and `(x - 0x01…) & ~x & 0x80…` sets the top bit of each
/// zero byte. The lowest set bit is always correct, but a borrow can set wrong bits above it.
enum ByteSearch {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns a word with the top bit set in each byte of `word` that equals `byte`; only the lowest set bit is
  /// reliable.
  static func matches(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let difference = word ^ (ones &* UInt64(byte))
    return (difference &- ones) & ~difference & highBits
  }

  /// Returns the number of ASCII digits at the beginning of `word`, whose first byte is in the lowest bits.
  static func leadingDigitCount(_ word: UInt64) -> Int {
    let digits = word ^ 0x3030_3030_3030_3030
    return ((((digits & ~highBits) &+ 0x7676_7676_7676_7676) | digits) & highBits).trailingZeroBitCount / 8
  }

  /// Returns the value of the ASCII digits at the beginning of `word`, and how many there are, up to eight.
  @inline(__always)
  static func leadingDigits(_ word: UInt64) -> (value: UInt64, count: Int) {
    let digits = word ^ 0x3030_3030_3030_3030
    // The top bit is set in each byte that is not a digit; the addition never carries from one byte into the next.
    let others = (((digits & ~highBits) &+ 0x7676_7676_7676_7676) | digits) & highBits
    let count = others.trailingZeroBitCount / 8
    // Shift twice by half the distance, because the processor can't shift a word by 64 bits at once.
    let aligned = (digits << UInt64(4 * (8 - count))) << UInt64(4 * (8 - count))
    return (joined(aligned), count)
  }

  /// Returns the value of eight decimal digits, one in each byte, with the first in the lowest bits.
  private static func joined(_ digits: UInt64) -> UInt64 {
    // Combine neighboring digits into two-digit, then four-digit, then eight-digit numbers.
    let pairs = ((digits &* (10 << 8 + 1)) >> 8) & 0x00FF_00FF_00FF_00FF
    let quads = ((pairs &* (100 << 16 + 1)) >> 16) & 0x0000_FFFF_0000_FFFF
    return (quads &* (10_000 << 32 + 1)) >> 32
  }
}

extension RawSpan {
  /// Returns the offset of the first `byte` from `start` on, or `byteCount` if there is none.
  package func firstOffset(of byte: UInt8, from start: Int) -> Int {
    firstOffset(of: byte, from: start, to: byteCount)
  }

  /// Returns the offset of the first `byte` between `start` and `end`, or `end` if there is none.
  func firstOffset(of byte: UInt8, from start: Int, to end: Int) -> Int {
    precondition(start >= 0 && end <= byteCount)
    var offset = start
    while offset <= end - 8 {
      // Sound: the word is between `start` and `end`, which are within the span.
      let found = ByteSearch.matches(unsafe uncheckedWord(at: offset), byte)
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < end, self.byte(at: offset) != byte { offset += 1 }
    return offset
  }

  /// Returns the offset of the first NUL in `range`, or its upper bound if there is none.
  func firstNUL(in range: Range<Int>) -> Int { firstOffset(of: 0, from: range.lowerBound, to: range.upperBound) }

  func count(of byte: UInt8, in range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    var count = 0
    var offset = range.lowerBound
    while offset <= range.upperBound - 8 {
      // Each byte of `sums` counts the matches at its position in up to 255 words.
      let end = min(range.upperBound - 7, offset + 255 * 8)
      var sums: UInt64 = 0
      while offset < end {
        // Unlike `ByteSearch.matches`, this is exact for every byte, because the addition never carries into the next
        // byte. Sound: the word begins before the last seven bytes of the range, which is within the span.
        let difference = unsafe uncheckedWord(at: offset) ^ (ByteSearch.ones &* UInt64(byte))
        let low = (difference & ~ByteSearch.highBits) &+ ~ByteSearch.highBits
        sums &+= (~(low | difference) & ByteSearch.highBits) >> 7
        offset += 8
      }
      // The sums are added in 16-bit lanes, because the total can exceed 255.
      let lanes = (sums & 0x00FF_00FF_00FF_00FF) &+ (sums >> 8 & 0x00FF_00FF_00FF_00FF)
      count += Int((lanes &* 0x0001_0001_0001_0001) >> 48)
    }
    while offset < range.upperBound {
      if self.byte(at: offset) == byte { count += 1 }
      offset += 1
    }
    return count
  }

  @inline(__always)
  func isASCII(in range: Range<Int>) -> Bool {
    let length = range.upperBound - range.lowerBound
    guard length >= 8 else { return isShortASCII(in: range) }
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    // Sound: all words loaded here and in the loop are within the range, which is within the span.
    var bits = unsafe uncheckedWord(at: range.upperBound - 8)
    var offset = range.lowerBound
    while offset < range.upperBound - 8 {
      bits |= unsafe uncheckedWord(at: offset)
      offset += 8
    }
    return bits & ByteSearch.highBits == 0
  }

  @inline(__always)
  private func isShortASCII(in range: Range<Int>) -> Bool {
    let length = range.upperBound - range.lowerBound
    if range.lowerBound <= byteCount - 8 {
      // The shift drops the bytes after `range`.
      return length == 0 || word(at: range.lowerBound) << UInt64(64 - 8 * length) & ByteSearch.highBits == 0
    }
    for offset in range where byte(at: offset) >= 0x80 { return false }
    return true
  }
}

/// Where a run of XML character data ends, and what it contains.
struct TextSpan {
  /// The offset of the `<` or NUL after the text, or the end of the span.
  var end: Int
  /// Whether the text contains an `&`.
  var hasReferences: Bool
  var hasNonASCII: Bool
}

extension RawSpan {
  /// Returns the offset of the next `<`, `&`, NUL or non-ASCII byte, or nil if there is none before `limit`.
  ///
  /// - Precondition: `limit` is at least eight bytes before the end of the span.
  @inline(__always)
  func plainTextEnd(from start: Int, limit: Int) -> Int? {
    precondition(start >= 0 && limit <= byteCount &- 8)
    var offset = start
    while offset < limit {
      // Sound: the offset is less than `limit`, which is at least eight bytes before the end of the span.
      let word = unsafe uncheckedWord(at: offset)
      let openings = word ^ 0x3C3C_3C3C_3C3C_3C3C
      let references = word ^ 0x2626_2626_2626_2626
      // The top bit is set in each byte that ends the text; only the lowest set bit is reliable.
      let stops =
        ((openings &- ByteSearch.ones) & ~openings | (references &- ByteSearch.ones) & ~references
          | (word &- ByteSearch.ones) | word) & ByteSearch.highBits
      if stops != 0 { return offset &+ stops.trailingZeroBitCount / 8 }
      offset &+= 8
    }
    return nil
  }

  /// Finds the next `<` or NUL from `start` on, which ends the character data.
  ///
  /// Most character data ends within sixteen bytes. The loop then runs once, and no branch depends on where exactly the
  /// text ends.
  @inline(__always)
  func textSpan(from start: Int) -> TextSpan {
    precondition(start >= 0)
    var offset = start
    var references: UInt64 = 0
    var high: UInt64 = 0
    while offset <= byteCount - 16 {
      // Sound: both words are within the span, because `offset` is not negative and at most `byteCount` − 16.
      let (first, second) = unsafe (uncheckedWord(at: offset), uncheckedWord(at: offset + 8))
      let firstStops = ByteSearch.matches(first, 0x3C) | ByteSearch.matches(first, 0)
      let secondStops = ByteSearch.matches(second, 0x3C) | ByteSearch.matches(second, 0)
      // The lowest set bit is reliable, so all bytes below it belong to the text. If no bit is set, all bytes of the
      // word do.
      let firstMask = (firstStops & (0 &- firstStops)) &- 1
      let secondMask = firstStops != 0 ? 0 : (secondStops & (0 &- secondStops)) &- 1
      references |= ByteSearch.matches(first, 0x26) & firstMask | ByteSearch.matches(second, 0x26) & secondMask
      high |= (first & firstMask | second & secondMask) & ByteSearch.highBits
      if firstStops | secondStops != 0 {
        let bits = firstStops != 0 ? firstStops.trailingZeroBitCount : 64 + secondStops.trailingZeroBitCount
        return TextSpan(end: offset + bits / 8, hasReferences: references != 0, hasNonASCII: high != 0)
      }
      offset += 16
    }
    while offset < byteCount {
      let byte = byte(at: offset)
      if byte == 0x3C || byte == 0 { break }
      if byte == 0x26 { references = 1 }
      if byte >= 0x80 { high = 1 }
      offset += 1
    }
    return TextSpan(end: offset, hasReferences: references != 0, hasNonASCII: high != 0)
  }
}
