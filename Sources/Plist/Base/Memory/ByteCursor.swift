/// A position for writing into memory that a ``ByteBuffer`` has allocated.
///
/// The cursor writes whole words even when it needs fewer bytes, so ``slack`` more bytes must be allocated after the
/// capacity. Except in the unchecked methods, each write checks that the new position is within the capacity. If it
/// writes a whole word, it can check afterwards, because the word extends at most ``slack`` bytes beyond the old
/// position.
///
/// Most parts of an XML line are written unchecked, because capacity for the whole line is reserved first.
@safe struct ByteCursor: ~Copyable {
  private var pointer: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer

  /// The maximum number of bytes that a write can overwrite after the new position.
  static let slack = 32

  /// Creates a cursor for memory with room for `capacity` bytes and ``slack`` more; `capacity` must not be negative.
  @unsafe init(_ pointer: UnsafeMutableRawPointer, capacity: Int) {
    unsafe self.pointer = pointer
    unsafe end = pointer + capacity
  }

  /// Returns the number of bytes written by the cursor, which must have been created at `start` with `capacity`.
  ///
  /// Traps if this is a different cursor, because a closure that gets two cursors can swap them.
  @unsafe func distance(from start: UnsafeMutableRawPointer, capacity: Int) -> Int {
    unsafe precondition(end == start + capacity, "the cursor belongs to another buffer")
    return unsafe pointer - start
  }

  /// Traps unless there is capacity for `count` more bytes.
  private func check(_ count: Int) {
    // One comparison is enough: a negative `count` becomes a large unsigned number, and `pointer` is never past `end`.
    unsafe precondition(
      UInt(bitPattern: count) <= UInt(bitPattern: end - pointer),
      "the number of written bytes is larger than the allocated size")
  }

  private mutating func advance(by count: Int) {
    check(count)
    unsafe pointer += count
  }

  // All methods below are sound: they check that their bytes fit into the capacity, which the `@unsafe` ones leave to
  // their callers, and the extra bytes of a whole word are within the slack.

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    unsafe pointer.storeBytes(of: byte, as: UInt8.self)
    advance(by: 1)
  }

  /// Writes the low `width` bytes of `word`, lowest byte first.
  @inline(__always)
  mutating func put(word: UInt64, width: Int = 8) {
    precondition(width <= 8)
    unsafe pointer.storeBytes(of: word.littleEndian, as: UInt64.self)
    advance(by: width)
  }

  /// Writes the low `width` bytes of `value`, highest byte first; `width` must be 1 to 8.
  @inline(__always)
  mutating func put(bigEndian value: UInt64, width: Int) {
    put(word: (value &<< UInt64(64 - 8 * width)).byteSwapped, width: width)
  }

  /// Writes the low `width` bytes of each of `count` numbers in big-endian order, checking the capacity once.
  ///
  /// - Precondition: `count` is not negative.
  @inline(__always)
  @unsafe mutating func put(_ count: Int, width: Int, _ number: (Int) -> UInt32) {
    precondition(width >= 1 && width <= 4)
    check(count * width)
    for index in 0..<count {
      let value = number(index) << UInt32(32 &- 8 &* width)
      // Sound: the capacity has just been checked, and the extra bytes of the word are within the slack.
      unsafe pointer.storeBytes(of: value.bigEndian, as: UInt32.self)
      unsafe pointer += width
    }
  }

  /// Writes a literal, which compiles to a few instructions that store constants.
  @inline(__always)
  mutating func put(_ literal: StaticString) {
    check(literal.utf8CodeUnitCount)
    // Sound: the capacity has just been checked.
    unsafe put(unchecked: literal)
  }

  /// - Precondition: There is capacity for the bytes of the literal.
  @inline(__always)
  @unsafe mutating func put(unchecked literal: StaticString) {
    let count = literal.utf8CodeUnitCount
    unsafe pointer.copyMemory(from: literal.utf8Start, byteCount: count)
    unsafe pointer += count
  }

  @inline(__always)
  mutating func put(tabs count: Int) {
    check(count)
    // Sound: the capacity has just been checked.
    unsafe put(uncheckedTabs: count)
  }

  /// - Precondition: `count` is not negative, and there is capacity for that many bytes.
  @inline(__always)
  @unsafe mutating func put(uncheckedTabs count: Int) {
    unsafe pointer.storeBytes(of: 0x0909_0909_0909_0909, as: UInt64.self)
    var done = 8
    while done < count {
      unsafe pointer.storeBytes(of: 0x0909_0909_0909_0909, toByteOffset: done, as: UInt64.self)
      done += 8
    }
    unsafe pointer += count
  }

  @inline(__always)
  mutating func put(_ span: RawSpan) {
    let count = span.byteCount
    check(count)
    unsafe span.withUnsafeBytes { source in
      if let start = source.baseAddress { unsafe pointer.copyMemory(from: start, byteCount: count) }
    }
    unsafe pointer += count
  }

  /// Writes the bytes of `text`, followed by two copies of `word` that don't advance the position.
  @inline(__always)
  mutating func put(_ text: RawSpan, before word: UInt64) {
    check(text.byteCount)
    // Sound: the capacity has just been checked, and the two copies of `word` are within the slack.
    unsafe put(unchecked: text)
    unsafe pointer.storeBytes(of: SIMD2(repeating: word.littleEndian), as: SIMD2<UInt64>.self)
  }

  /// - Precondition: There is capacity for the bytes of `text`.
  @inline(__always)
  @unsafe mutating func put(unchecked text: RawSpan) {
    let count = text.byteCount
    // Sound: the precondition guarantees that the text fits into the capacity.
    unsafe text.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      if count > 16 {
        unsafe pointer.copyMemory(from: source, byteCount: count)
      } else if count >= 8 {
        // Two loads, which can overlap, copy 8 to 16 bytes; `memcpy` takes three times as long for so few.
        let low = unsafe source.loadUnaligned(as: UInt64.self)
        let high = unsafe source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        unsafe pointer.storeBytes(of: low, as: UInt64.self)
        unsafe pointer.storeBytes(of: high, toByteOffset: count &- 8, as: UInt64.self)
      } else if count >= 4 {
        let low = unsafe source.loadUnaligned(as: UInt32.self)
        let high = unsafe source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
        unsafe pointer.storeBytes(of: low, as: UInt32.self)
        unsafe pointer.storeBytes(of: high, toByteOffset: count &- 4, as: UInt32.self)
      } else {
        for offset in 0..<count {
          let byte = unsafe source.load(fromByteOffset: offset, as: UInt8.self)
          unsafe pointer.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
      }
    }
    unsafe pointer += count
  }

  /// Returns the eight bytes at `offset` from the current position, with the first byte in the lowest bits.
  ///
  /// - Precondition: These bytes have been written, whether before or after the position.
  @unsafe func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe (pointer + offset).loadUnaligned(as: UInt64.self))
  }

  /// Writes the bytes in a short `range` of `span` word by word, reading up to ``slack`` bytes beyond the range.
  @inline(__always)
  mutating func put(words span: RawSpan, in range: Range<Int>) {
    var offset = range.lowerBound
    // Most ranges have at most 32 bytes, so four words are copied before the end is checked.
    while true {
      for pair in 0..<2 {
        let words = span.wordPair(at: offset &+ 16 &* pair)
        unsafe pointer.storeBytes(of: words, toByteOffset: 16 &* pair, as: SIMD2<UInt64>.self)
      }
      if offset >= range.upperBound &- 32 { break }
      offset &+= 32
      advance(by: 32)
    }
    advance(by: range.upperBound &- offset)
  }

  @inline(__always)
  mutating func put(pointAfter position: Int, _ body: (inout ByteCursor) -> Void) {
    let (start, end) = unsafe (pointer, end)
    advance(by: 1)
    body(&self)
    // Check that `body` hasn't replaced this cursor, because a closure that gets two cursors can swap them.
    unsafe precondition(end == self.end && position >= 0 && position < pointer - start)
    for offset in 0..<position {
      // Sound: both offsets are within the bytes written by `body` and the one reserved for the decimal point.
      let byte = unsafe start.load(fromByteOffset: offset + 1, as: UInt8.self)
      unsafe start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }
    unsafe start.storeBytes(of: 0x2E, toByteOffset: position, as: UInt8.self)
  }
}
