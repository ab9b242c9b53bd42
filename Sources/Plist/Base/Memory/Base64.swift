#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Base64 with the standard alphabet (RFC 4648, section 4).
enum Base64 {
  /// The value of each byte that is a base64 digit, and 0x7F for all other bytes.
  ///
  /// A literal needs no initialization at run time.
  private static let values: StaticString =
    """
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{3E}\u{7F}\u{7F}\u{7F}\u{3F}\
    \u{34}\u{35}\u{36}\u{37}\u{38}\u{39}\u{3A}\u{3B}\u{3C}\u{3D}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\u{9}\u{A}\u{B}\u{C}\u{D}\u{E}\
    \u{F}\u{10}\u{11}\u{12}\u{13}\u{14}\u{15}\u{16}\u{17}\u{18}\u{19}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{1A}\u{1B}\u{1C}\u{1D}\u{1E}\u{1F}\u{20}\u{21}\u{22}\u{23}\u{24}\u{25}\u{26}\u{27}\u{28}\
    \u{29}\u{2A}\u{2B}\u{2C}\u{2D}\u{2E}\u{2F}\u{30}\u{31}\u{32}\u{33}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\
    \u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}
    """

  static func value(of byte: UInt8) -> UInt8 {
    // Sound: the table has an entry for each of the 256 bytes.
    unsafe values.utf8Start[Int(byte)]
  }

  /// Returns the 24 bits that the four digits at `offset` encode, or nil if one of the bytes is not a digit.
  private static func group(_ bytes: RawSpan, at offset: Int) -> UInt32? {
    let digits = bytes.half(at: offset)
    let a = UInt32(value(of: UInt8(truncatingIfNeeded: digits)))
    let b = UInt32(value(of: UInt8(truncatingIfNeeded: digits >> 8)))
    let c = UInt32(value(of: UInt8(truncatingIfNeeded: digits >> 16)))
    let d = UInt32(value(of: UInt8(truncatingIfNeeded: digits >> 24)))
    return (a | b | c | d) & 0x40 == 0 ? a << 18 | b << 12 | c << 6 | d : nil
  }

  /// Skips base64 digits, eight bytes at a time, and returns the new offset.
  ///
  /// If only digits follow, that is at most seven bytes before the end of the span.
  @inline(__always)
  static func skipDigits(_ bytes: RawSpan, from start: Int) -> Int {
    var offset = start
    while offset <= bytes.byteCount - 8 {
      let others = others(bytes.word(at: offset))
      if others != 0 { return offset + others.trailingZeroBitCount / 8 }
      offset += 8
    }
    return offset
  }

  /// Returns a word with the top bit set in each byte that is not a base64 digit.
  private static func others(_ word: UInt64) -> UInt64 {
    // Each addition sets the top bit of every byte that is at least a certain character, such as `a` or `{`. The bytes
    // of both operands are at most 0x7F, so no byte carries into the next.
    let low = word & ~ByteSearch.highBits
    let folded = low | 0x2020_2020_2020_2020
    let letters = (folded &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(folded &+ 0x0505_0505_0505_0505)
    let digits = (low &+ 0x5050_5050_5050_5050) & ~(low &+ 0x4646_4646_4646_4646)
    // `+` and `/` differ in one bit; with that bit cleared, one comparison finds both.
    let signs = ~(((low & 0xFBFB_FBFB_FBFB_FBFB) ^ 0x2B2B_2B2B_2B2B_2B2B) &+ 0x7F7F_7F7F_7F7F_7F7F)
    return (~(letters | digits | signs) | word) & ByteSearch.highBits
  }

  static func isDigit(_ byte: UInt8) -> Bool { value(of: byte) < 64 }

  /// Decodes the base64 in `range`, skipping all other bytes.
  static func decode(_ bytes: RawSpan, in range: Range<Int>) -> Data {
    // Four digits encode three bytes, but each group is written as a four-byte word.
    let capacity = (range.upperBound - range.lowerBound) / 4 * 3 + 4
    if capacity <= 1024 {
      // Most data is at most 1 KB. Decoding it on the stack leaves a single allocation, for the storage of the `Data`.
      return unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { output in
        let count = unsafe decode(bytes, in: range, to: output)
        return unsafe Data(UnsafeRawBufferPointer(rebasing: output[..<count]))
      }
    }
    var buffer = ByteBuffer(capacity: capacity)
    _ = unsafe buffer.append(capacity: capacity) { unsafe decode(bytes, in: range, to: $0) }
    return buffer.data()
  }

  /// Decodes the base64 in `range` to `output` and returns the number of bytes written.
  ///
  /// Sound: each group of four digits, as well as an incomplete last group, is written as a four-byte word, and callers
  /// provide three bytes for every four digits plus four more.
  private static func decode(
    _ bytes: RawSpan, in range: Range<Int>, to output: UnsafeMutableRawBufferPointer
  ) -> Int {
    var written = 0
    var offset = range.lowerBound
    var pending: UInt32 = 0
    var digits = 0
    while offset < range.upperBound {
      if digits == 0, offset <= range.upperBound &- 4, let group = group(bytes, at: offset) {
        unsafe output.storeBytes(of: (group << 8).bigEndian, toByteOffset: written, as: UInt32.self)
        written &+= 3
        offset &+= 4
        continue
      }
      let value = value(of: bytes.byte(at: offset))
      offset += 1
      if value > 63 { continue }
      pending = pending << 6 | UInt32(value)
      digits += 1
      if digits == 4 {
        unsafe output.storeBytes(of: (pending << 8).bigEndian, toByteOffset: written, as: UInt32.self)
        written += 3
        (pending, digits) = (0, 0)
      }
    }
    if digits >= 2 {
      unsafe output.storeBytes(
        of: (pending << UInt32(32 - 6 * digits)).bigEndian, toByteOffset: written, as: UInt32.self)
      written += digits - 1
    }
    return written
  }
}

extension StaticString {
  func byte(at offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < utf8CodeUnitCount)
    // Sound: the offset is within the static string, as checked.
    return unsafe utf8Start[offset]
  }
}
