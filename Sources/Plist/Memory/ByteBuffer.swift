#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A growing array of bytes: the output of every writer.
///
/// The buffer copies on write, so that copies of a writer do not affect each other. The bytes of a buffer become `Data`
/// without a copy.
///
/// The conformance of `ByteBuffer` to `Sendable` is unchecked, because the type has a pointer. This is sound: before
/// each write, a buffer makes sure that it is the sole owner of the allocation. When a buffer becomes `Data`, the
/// `Data` owns the allocation.
@safe struct ByteBuffer: @unchecked Sendable {
  private var block: MemoryBlock
  /// The address of the first byte of ``block``, stored in this struct to save an access to the block object.
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    block = MemoryBlock(size: self.capacity)
    unsafe base = block.base
  }

  var freeCapacity: Int { capacity - count }

  /// Ensures capacity for `additional` more bytes, and makes this buffer the only owner of its storage.
  @inline(__always)
  mutating func reserve(_ additional: Int) {
    if additional > capacity - count || !isKnownUniquelyReferenced(&block) { grow(additional) }
  }

  @inline(never)
  private mutating func grow(_ additional: Int) {
    let old = capacity
    var larger = old
    if additional > old - count {
      larger = max(count + additional, 2 * old)
    }
    if isKnownUniquelyReferenced(&block) {
      // This is sound: only this buffer refers to the block, and `base` is updated below.
      unsafe block.resize(to: larger)
    } else {
      let own = MemoryBlock(size: larger)
      // This is sound: both blocks have at least `count` bytes and are distinct.
      unsafe own.base.copyMemory(from: base, byteCount: count)
      block = own
    }
    capacity = larger
    unsafe base = block.base
  }

  @inline(__always)
  mutating func write(upTo size: Int, _ body: (inout ByteCursor) -> Void) {
    if size < 0 || size > capacity &- count &- ByteCursor.slack || !isKnownUniquelyReferenced(&block) {
      grow(forWriting: size)
    }
    // This is sound: the buffer has allocated the memory, and no other code refers to this memory. The cursor does not
    // outlive the call of `body`, because `body` cannot copy the cursor. The cursor writes at most `size` bytes and the
    // slack. The method `distance(from:capacity:)` checks that `body` has not replaced the cursor.
    let start = unsafe base + count
    var cursor = unsafe ByteCursor(start, capacity: size)
    body(&cursor)
    count &+= unsafe cursor.distance(from: start, capacity: size)
  }

  @inline(never)
  private mutating func grow(forWriting size: Int) {
    precondition(size >= 0, "the number of bytes is negative")
    grow(size + ByteCursor.slack)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    // This is sound: here and in the functions below, `reserve` has ensured capacity for the bytes to append.
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends the low `width` bytes of `word`, the lowest first; `width` is at most 8.
  @inline(__always)
  mutating func append(word: UInt64, width: Int = 8) {
    precondition(width >= 0 && width <= 8)
    reserve(8)
    unsafe base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
    count += width
  }

  /// Appends the low `width` bytes of `value`, the highest first; `width` is 1 to 8.
  @inline(__always)
  mutating func append(bigEndian value: UInt64, width: Int) {
    append(word: (value << UInt64(64 - 8 * width)).byteSwapped, width: width)
  }

  mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    unsafe base.advanced(by: count).copyMemory(from: text.utf8Start, byteCount: length)
    count += length
  }

  mutating func append(_ bytes: RawSpan) {
    reserve(bytes.byteCount)
    unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe base.advanced(by: count).copyMemory(from: start, byteCount: source.count)
    }
    count += bytes.byteCount
  }

  mutating func append(_ byte: UInt8, times: Int) {
    precondition(times >= 0)
    reserve(times)
    unsafe base.advanced(by: count).initializeMemory(as: UInt8.self, repeating: byte, count: times)
    count += times
  }

  mutating func append(utf8 text: String) {
    text.withByteSpan { append($0) }
  }

  /// Calls `fill` to append up to `size` bytes; `fill` returns the number of bytes written, or a negative number after
  /// a failure.
  ///
  /// - Precondition: If `fill` returns *n*, `fill` must have initialized the first *n* bytes.
  @unsafe mutating func append(capacity size: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    precondition(size >= 0)
    reserve(size)
    let free = unsafe UnsafeMutableRawBufferPointer(start: base.advanced(by: count), count: size)
    let written = unsafe fill(free)
    precondition(written <= size)
    if written > 0 { count += written }
    return written
  }

  mutating func set(_ byte: UInt8, at offset: Int) {
    precondition(offset >= 0 && offset < count)
    reserve(0)
    unsafe base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }

  /// Returns the eight appended bytes from `offset` on, with the first byte in the lowest bits.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count &- 8)
    // This is sound: the word is within the appended bytes.
    return UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  mutating func set(word: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- 8)
    reserve(0)
    unsafe base.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  mutating func move(_ range: Range<Int>, to start: Int) {
    precondition(start >= 0 && start <= range.lowerBound && range.upperBound <= count)
    reserve(0)
    // This is sound: the source range and the destination range are within the appended bytes. Most moved ranges are
    // short, and are moved word by word from front to back. The source and the destination can overlap, because each
    // word is loaded before its bytes are overwritten. The last word can extend beyond the destination, but not beyond
    // the allocated memory.
    if range.count <= 64, capacity - range.upperBound >= 8, range.lowerBound - start >= 8 {
      var offset = 0
      while offset < range.count {
        let word = unsafe base.loadUnaligned(fromByteOffset: range.lowerBound + offset, as: UInt64.self)
        unsafe base.storeBytes(of: word, toByteOffset: start + offset, as: UInt64.self)
        offset += 8
      }
    } else {
      unsafe (base + start).copyMemory(from: base + range.lowerBound, byteCount: range.count)
    }
  }

  mutating func removeAll() { count = 0 }

  mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  @inline(__always)
  func withSpan<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    // This is sound: the first `count` bytes are initialized, and `block` outlives the call.
    let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count)
    defer { withExtendedLifetime(block) {} }
    return try body(unsafe bytes.bytes)
  }

  mutating func takeData() -> Data {
    if count <= Self.copiedSize {
      defer {
        count = 0
        if capacity > 1 << 16 { self = ByteBuffer(capacity: Self.copiedSize) }
      }
      return copiedData()
    }
    // The new buffer is small, so that the writer keeps little memory until the next document.
    var bytes = ByteBuffer(capacity: 16)
    swap(&bytes, &self)
    return bytes.data()
  }

  /// The maximum size in bytes at which copying the bytes takes less time than allocating a new buffer.
  private static var copiedSize: Int { 4096 }

  private func copiedData() -> Data {
    // This is sound: the first `count` bytes are initialized, and `Data` copies these bytes.
    unsafe Data(bytes: base, count: count)
  }

  /// Returns the bytes as `Data`, and copies the bytes only if another buffer shares the memory block.
  consuming func data() -> Data {
    guard count > 0 else { return Data() }
    // Code that owns the returned `Data` can change the bytes in place, so no other buffer is allowed to share the
    // block.
    guard isKnownUniquelyReferenced(&block) else { return copiedData() }
    // A writer that reserves capacity for two bytes per character often uses half of the capacity and a few bytes less.
    if capacity / 2 > max(count, 1 << 15) + 64 {
      // This is sound: only this buffer refers to the block, and `base` is updated below.
      unsafe block.resize(to: count)
      unsafe base = block.base
      capacity = count
    }
    let owner = block
    // This is sound: the deallocator retains `owner`, which keeps the bytes alive until the data is released.
    return unsafe Data(bytesNoCopy: base, count: count, deallocator: .custom { _, _ in _ = owner })
  }
}

extension ByteBuffer {
  /// Appends the low `width` bytes of 32-bit little-endian numbers, each in big-endian order.
  ///
  /// `first` is the index of the first number to append, and `step` is the distance between the indices of consecutive
  /// numbers.
  mutating func append(bigEndianHalves halves: RawSpan, from first: Int, by step: Int, width: Int) {
    let count = halves.byteCount / 4
    write(upTo: count * width) { $0.put(bigEndianHalves: halves, from: first, by: step, width: width) }
  }
}

extension ByteCursor {
  @inline(__always)
  mutating func put(bigEndianHalves halves: RawSpan, from first: Int, by step: Int, width: Int) {
    // Each width has its own loop, in which the width is a constant, so that the compiler can optimize the loop.
    switch width {
    case 1: putEach(of: halves, from: first, by: step, width: 1)
    case 2: putEach(of: halves, from: first, by: step, width: 2)
    default: putEach(of: halves, from: first, by: step, width: 4)
    }
  }

  @inline(__always)
  private mutating func putEach(of halves: RawSpan, from first: Int, by step: Int, width: Int) {
    precondition(first >= 0 && step > 0 && halves.byteCount % 4 == 0)
    let (offset, stride) = (4 * first, 4 * step)
    let count = offset < halves.byteCount ? (halves.byteCount &- offset &- 1) / stride &+ 1 : 0
    // This is sound: the last of `count` numbers begins before the end of the span, whose size is a multiple of four
    // bytes.
    unsafe put(count, width: width) { unsafe halves.uncheckedHalf(at: offset &+ stride &* $0) }
  }
}

extension RawSpan {
  /// Returns the four bytes that start at `offset`, without a bounds check.
  ///
  /// A loop that calls this function checks the range of all its loads at once.
  ///
  /// - Precondition: All four bytes must be within the span; debug builds check this precondition.
  @inline(__always)
  @unsafe func uncheckedHalf(at offset: Int) -> UInt32 {
    assert(offset >= 0 && offset <= byteCount - 4)
    // This is sound: the bytes are within the span, and the load needs no alignment.
    return UInt32(littleEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }
}
