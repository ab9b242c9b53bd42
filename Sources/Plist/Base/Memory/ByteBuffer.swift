/// A growing list of bytes that every writer appends to, and that can become `Data` without a copy.
typealias ByteBuffer = GrowingBuffer<UInt8>

extension ByteBuffer {
  init() { self.init(capacity: 256) }

  /// Appends the low `width` bytes of `word`, lowest byte first; `width` must be at most 8.
  mutating func append(word: UInt64, width: Int = 8) { write(upTo: width) { $0.put(word: word, width: width) } }

  /// Appends the low `width` bytes of `value`, highest byte first; `width` must be 1 to 8.
  mutating func append(bigEndian value: UInt64, width: Int) {
    write(upTo: width) { $0.put(bigEndian: value, width: width) }
  }

  mutating func append(_ text: StaticString) { write(upTo: text.utf8CodeUnitCount) { $0.put(text) } }

  mutating func append(_ bytes: RawSpan) { write(upTo: bytes.byteCount) { $0.put(bytes) } }

  mutating func append(_ byte: UInt8, times: Int) {
    write(upTo: times) { for _ in 0..<times { $0.put(byte) } }
  }

  mutating func append(utf8 text: String) { text.withByteSpan { append($0) } }
}

extension ByteBuffer {
  /// Appends 32-bit little-endian numbers as big-endian numbers of `width` bytes, starting at the index `first` and
  /// advancing by `step`.
  mutating func append(bigEndianHalves halves: RawSpan, from first: Int, by step: Int, width: Int) {
    let count = halves.byteCount / 4
    write(upTo: count * width) { $0.put(bigEndianHalves: halves, from: first, by: step, width: width) }
  }
}

extension ByteCursor {
  @inline(__always)
  mutating func put(bigEndianHalves halves: RawSpan, from first: Int, by step: Int, width: Int) {
    // Each width gets its own loop, so that the optimizer can treat the width as a constant.
    switch width {
    case 1: putEach(of: halves, from: first, by: step, width: 1)
    case 2: putEach(of: halves, from: first, by: step, width: 2)
    case 3: putEach(of: halves, from: first, by: step, width: 3)
    default: putEach(of: halves, from: first, by: step, width: 4)
    }
  }

  private mutating func putEach(of halves: RawSpan, from first: Int, by step: Int, width: Int) {
    precondition(first >= 0 && step > 0 && halves.byteCount % 4 == 0)
    let (offset, stride) = (4 * first, 4 * step)
    let count = offset < halves.byteCount ? (halves.byteCount &- offset &- 1) / stride &+ 1 : 0
    // Sound: the last of `count` numbers begins before the end of the span, whose size is a multiple of four bytes.
    unsafe put(count, width: width) { unsafe halves.uncheckedHalf(at: offset &+ stride &* $0) }
  }
}

extension RawSpan {
  /// Returns the four bytes at `offset` without a bounds check, for loops that check the range of all their loads at
  /// once.
  ///
  /// - Precondition: All four bytes are within the span; debug builds check this.
  @unsafe func uncheckedHalf(at offset: Int) -> UInt32 {
    assert(offset >= 0 && offset <= byteCount - 4)
    // Sound: the bytes are within the span, and the load needs no alignment.
    return UInt32(littleEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }
}
