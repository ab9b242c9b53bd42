/// Loads of bytes and words that trap if they are out of bounds.
///
/// Readers compare each position with the length before they load. These functions check again, so that neither a bug
/// in a reader nor a change to a mapped file can lead to an out-of-bounds access.
extension RawSpan {
  func byte(at offset: Int) -> UInt8 {
    // One comparison is enough: a negative offset becomes a large unsigned number.
    precondition(UInt(bitPattern: offset) < UInt(bitPattern: byteCount))
    // Sound: the offset is within the span, as checked, and any byte is a valid UInt8.
    return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// Returns the eight bytes at `offset`, with the first in the lowest bits.
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= byteCount &- 8)
    // Sound: all eight bytes are within the span, as checked.
    return unsafe uncheckedWord(at: offset)
  }

  /// Returns the eight bytes at `offset` without a bounds check, for loops that check the range of all their loads at
  /// once.
  ///
  /// - Precondition: All eight bytes are within the span; debug builds check this.
  @unsafe func uncheckedWord(at offset: Int) -> UInt64 {
    assert(offset >= 0 && offset <= byteCount - 8)
    // Sound: the bytes are within the span, and the load needs no alignment.
    return UInt64(littleEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// Returns the sixteen bytes at `offset`, with the first in the lowest bits of the first word.
  func wordPair(at offset: Int) -> SIMD2<UInt64> {
    precondition(offset >= 0 && offset <= byteCount &- 16)
    // Sound: all sixteen bytes are within the span, as checked; the load needs no alignment.
    let pair = unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD2<UInt64>.self)
    return SIMD2(UInt64(littleEndian: pair.x), UInt64(littleEndian: pair.y))
  }

  /// Copies the bytes in `range` to the start of `output` and returns whether they are all ASCII.
  ///
  /// - Precondition: The range is within the span, and `output` has at least as many bytes as the range.
  @inline(__always)
  @unsafe func copy(_ range: Range<Int>, to output: UnsafeMutableRawBufferPointer) -> Bool {
    let count = range.upperBound - range.lowerBound
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount && count <= output.count)
    // Sound: as checked, all reads are within the range, and all writes are within the first `count` bytes of the
    // output.
    guard count >= 8 else {
      var bits: UInt8 = 0
      for index in 0..<count {
        let byte = byte(at: range.lowerBound + index)
        unsafe output.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        bits |= byte
      }
      return bits < 0x80
    }
    let last = unsafe uncheckedWord(at: range.upperBound - 8)
    var bits = last
    var index = 0
    while index < count - 8 {
      let word = unsafe uncheckedWord(at: range.lowerBound + index)
      unsafe output.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
      bits |= word
      index += 8
    }
    unsafe output.storeBytes(of: last.littleEndian, toByteOffset: count - 8, as: UInt64.self)
    return bits & ByteSearch.highBits == 0
  }

  /// Returns the four bytes at `offset`, with the first in the lowest bits.
  func half(at offset: Int) -> UInt32 {
    precondition(offset >= 0 && offset <= byteCount &- 4)
    // Sound: all four bytes are within the span, as checked.
    return UInt32(littleEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }

  /// Returns the largest of `count` big-endian numbers from `offset` on, or zero if `count` is zero.
  ///
  /// The loop has no early exit, so that the compiler can vectorize it.
  func largest<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    of count: Int, _ type: Number.Type, at offset: Int
  ) -> Number {
    precondition(count >= 0 && offset >= 0 && count <= (byteCount - offset) / MemoryLayout<Number>.size)
    var largest: Number = 0
    for index in 0..<count {
      let start = offset &+ index &* MemoryLayout<Number>.size
      // Sound: the number is within the span, as checked; the load needs no alignment.
      largest = max(largest, Number(bigEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: type)))
    }
    return largest
  }

  /// Returns the big-endian number in the `width` bytes at `offset`, ignoring all but the last eight bytes.
  ///
  /// - Precondition: `width` is at least 1, and the bytes are within the span.
  @inline(__always)
  func bigEndian(at offset: Int, width: Int) -> UInt64 {
    if width <= 8, offset <= byteCount - 8 { return word(at: offset).byteSwapped &>> UInt64(64 &- 8 &* width) }
    return bigEndianAtEnd(offset, width: width)
  }

  @inline(never)
  private func bigEndianAtEnd(_ offset: Int, width: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in offset..<offset + width { value = value << 8 | UInt64(byte(at: index)) }
    return value
  }

  func hasBytes(_ text: StaticString, at offset: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard offset >= 0, count <= byteCount - offset else { return false }
    // Sound: a static string lives as long as the program, and both ranges are within bounds.
    let other = unsafe UnsafeRawBufferPointer(start: unsafe text.utf8Start, count: count)
    var index = 0
    while index <= count &- 8 {
      let word = unsafe other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if self.word(at: offset &+ index) != UInt64(littleEndian: word) { return false }
      index &+= 8
    }
    while index < count {
      if unsafe byte(at: offset &+ index) != other[index] { return false }
      index &+= 1
    }
    return true
  }

  /// Whether the bytes from `offset` to the end of the span are a proper prefix of `text`.
  func isPrefix(of text: StaticString, from offset: Int) -> Bool {
    let left = byteCount - offset
    guard left < text.utf8CodeUnitCount else { return false }
    // Sound: `left` is less than the length of the static string.
    for index in 0..<left where unsafe byte(at: offset + index) != text.utf8Start[index] { return false }
    return true
  }
}
