#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// A growing run of bytes, the output side of every writer.
///
/// It copies on write, so a copied writer goes its own way, and it hands its bytes over as `Data` without a copy.
///
/// Unchecked because of the pointer: sound since a buffer writes only while it is the sole owner of the allocation, and
/// the `Data` made from it is only read.
@safe struct ByteBuffer: @unchecked Sendable {
  private var allocation: Allocation
  /// The start of ``allocation``; here so that it is at hand without a look at the object.
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  /// The number of bytes appended so far.
  private(set) var count = 0

  init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    allocation = Allocation(size: self.capacity)
    unsafe base = allocation.base
  }

  /// Owns the allocation; freed with the last buffer or `Data` that refers to it.
  @safe private final class Allocation {
    private(set) var base: UnsafeMutableRawPointer
    private var size: Int
    /// What ``base`` is the start of, once that is large.
    private(set) var block: MemoryBlock?

    /// From this size on, address space is taken for what is to come, and growing moves no bytes.
    static let largeSize = 4 << 20

    init(size: Int) {
      guard let base = unsafe malloc(size) else { fatalError("out of memory for \(size) bytes") }
      unsafe self.base = base
      self.size = size
    }

    /// Makes the allocation larger or smaller.
    func resize(to size: Int) {
      if let block, size <= block.size {
        self.size = size
        return
      }
      #if os(Linux)
      if size >= Self.largeSize, let larger = MemoryBlock.spacious(size) {
        // Sound: the block is larger than what there is.
        unsafe larger.base.copyMemory(from: base, byteCount: self.size)
        if block == nil { unsafe free(base) }
        unsafe base = larger.base
        block = larger
        self.size = size
        return
      }
      #endif
      precondition(block == nil, "out of address space for \(size) bytes")
      guard let moved = unsafe realloc(base, size) else { fatalError("out of memory for \(size) bytes") }
      unsafe base = moved
      self.size = size
    }

    deinit { if block == nil { unsafe free(base) } }
  }

  /// How many bytes can be appended before more memory is needed.
  var room: Int { capacity - count }

  /// Makes room for `additional` bytes at the end, as the only owner of the storage.
  @inline(__always)
  mutating func reserve(_ additional: Int) {
    if additional > capacity - count || !isKnownUniquelyReferenced(&allocation) { grow(additional) }
  }

  @inline(never)
  private mutating func grow(_ additional: Int) {
    let old = capacity
    var larger = old
    if additional > old - count {
      larger = max(count + additional, 2 * old)
    }
    if isKnownUniquelyReferenced(&allocation) {
      allocation.resize(to: larger)
    } else {
      let own = Allocation(size: larger)
      // Sound: both allocations hold at least `count` bytes and are distinct.
      unsafe own.base.copyMemory(from: base, byteCount: count)
      allocation = own
    }
    capacity = larger
    unsafe base = allocation.base
  }

  /// Makes sure that this is the sole owner of the storage, for ``write(upTo:_:)``.
  @inline(__always)
  mutating func own() { reserve(0) }

  /// Lets `body` write at most `size` bytes at the end.
  ///
  /// - Precondition: The buffer has not been copied since the last call of ``own()``, and `body` keeps to `size`. Both
  ///   are checked in debug builds only, since together they cost as much as the writing of a short value.
  @inline(__always)
  mutating func write(upTo size: Int, _ body: (inout ByteCursor) -> Void) {
    if size &+ ByteCursor.slack > capacity &- count { grow(size + ByteCursor.slack) }
    assert(isKnownUniquelyReferenced(&allocation))
    // Sound: that much room was made, nobody else looks at it, and the cursor does not outlive the call.
    let start = unsafe base + count
    var cursor = unsafe ByteCursor(start, room: size)
    body(&cursor)
    count &+= unsafe cursor.distance(from: start)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    // Sound: `reserve` made room for the byte; likewise in the functions below.
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends the low `width` bytes of `word`, the lowest first; `width` is at most 8.
  @inline(__always)
  mutating func append(word: UInt64, width: Int = 8) {
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
    reserve(times)
    unsafe base.advanced(by: count).initializeMemory(as: UInt8.self, repeating: byte, count: times)
    count += times
  }

  mutating func append(utf8 text: String) {
    text.withByteSpan { append($0) }
  }

  /// Lets `fill` write into room for `size` bytes at the end; it returns how many it has written, or a negative number.
  mutating func append(room size: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    reserve(size)
    let room = unsafe UnsafeMutableRawBufferPointer(start: base.advanced(by: count), count: size)
    let written = unsafe fill(room)
    precondition(written <= size)
    if written > 0 { count += written }
    return written
  }

  /// Overwrites the byte at `offset`, which has been appended before.
  mutating func set(_ byte: UInt8, at offset: Int) {
    precondition(offset >= 0 && offset < count)
    reserve(0)
    unsafe base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }

  /// The eight bytes at `offset`, which have been appended before, the first of them in the lowest bits.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count &- 8)
    // Sound: within the bytes there are.
    return UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Overwrites the eight bytes at `offset`, which have been appended before.
  ///
  /// - Precondition: The buffer has not been copied since the last call of ``own()``.
  @inline(__always)
  mutating func set(word: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- 8)
    assert(isKnownUniquelyReferenced(&allocation))
    unsafe base.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  /// Moves the bytes in `range` to `start`, which is before them.
  ///
  /// - Precondition: The buffer has not been copied since the last call of ``own()``.
  @inline(__always)
  mutating func move(_ range: Range<Int>, to start: Int) {
    precondition(start >= 0 && start <= range.lowerBound && range.upperBound <= count)
    assert(isKnownUniquelyReferenced(&allocation))
    // Sound: both are within the bytes there are; short runs, most of them, go word by word from front to back, which
    // overlapping allows since each word is loaded before anything behind it is stored. The last word may reach into
    // the slack, or into what the move makes obsolete, but not beyond the allocation.
    if range.count <= 64, capacity - range.upperBound >= 8, range.lowerBound - start >= 8 {
      var offset = 0
      while offset < range.count {
        let word = unsafe base.loadUnaligned(fromByteOffset: range.lowerBound + offset, as: UInt64.self)
        unsafe base.storeBytes(of: word, toByteOffset: start + offset, as: UInt64.self)
        offset += 8
      }
    } else {
      unsafe memmove(base + start, base + range.lowerBound, range.count)
    }
  }

  /// Forgets the bytes but keeps the room.
  mutating func removeAll() { count = 0 }

  /// Forgets the bytes from `newCount` on.
  mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  /// Where the bytes are, as long as this buffer exists and is not changed.
  var start: UnsafeRawPointer { unsafe UnsafeRawPointer(base) }

  /// Calls `body` with the bytes appended so far.
  @inline(__always)
  func withSpan<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    // Sound: the first `count` bytes are initialised, and `allocation` outlives the call.
    let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count)
    defer { withExtendedLifetime(allocation) {} }
    return try body(unsafe bytes.bytes)
  }

  /// The bytes as data; the buffer is empty then.
  mutating func takeData() -> Data {
    if count <= Self.copiedSize || allocation.block != nil && count < Allocation.largeSize / 4 {
      defer {
        count = 0
        if capacity > 1 << 16 { self = ByteBuffer(capacity: Self.copiedSize) }
      }
      // Sound: the first `count` bytes are initialised, and the data copies them.
      return unsafe Data(bytes: base, count: count)
    }
    // Without room, so that none is kept until there is another document.
    var bytes = ByteBuffer(capacity: 16)
    swap(&bytes, &self)
    return bytes.data()
  }

  /// Makes room for as many bytes as are expected, which so far are none.
  mutating func expect(_ size: Int) {
    if size > capacity { reserve(min(size, Allocation.largeSize)) }
  }

  /// Up to how many bytes a copy takes less than another allocation, and what it takes to hand one over.
  private static var copiedSize: Int { 4096 }

  /// The bytes, handed over without a copy.
  consuming func data() -> Data {
    guard count > 0 else { return Data() }
    if capacity - count > 1 << 16, isKnownUniquelyReferenced(&allocation) {
      allocation.resize(to: count)
      unsafe base = allocation.base
      capacity = count
    }
    let owner = allocation
    // Sound: the deallocator keeps `owner`, and with it the allocation, until the data is gone. The data may be changed
    // in place, so no other buffer may share the allocation: a copy of this buffer is not to be used any more.
    return unsafe Data(bytesNoCopy: base, count: count, deallocator: .custom { _, _ in _ = owner })
  }
}

extension ByteBuffer {
  /// Appends the low `width` bytes, the highest first, of numbers of four bytes each, the lowest first.
  ///
  /// - Parameters:
  ///   - halves: The numbers.
  ///   - first: The index of the first one to append.
  ///   - step: How far apart those to append are.
  ///   - width: 1, 2 or 4.
  mutating func append(bigEndianHalves halves: RawSpan, from first: Int, by step: Int, width: Int) {
    let count = halves.byteCount / 4
    own()
    write(upTo: count * width) { $0.put(bigEndianHalves: halves, from: first, by: step, width: width) }
  }
}

extension ByteCursor {
  /// Puts the low `width` bytes of numbers as ``ByteBuffer/append(bigEndianHalves:from:by:width:)`` does.
  @inline(__always)
  mutating func put(bigEndianHalves halves: RawSpan, from first: Int, by step: Int, width: Int) {
    // A loop for each width, in which it is a constant.
    switch width {
    case 1: putEach(of: halves, from: first, by: step, width: 1)
    case 2: putEach(of: halves, from: first, by: step, width: 2)
    default: putEach(of: halves, from: first, by: step, width: 4)
    }
  }

  @inline(__always)
  private mutating func putEach(of halves: RawSpan, from first: Int, by step: Int, width: Int) {
    var offset = 4 &* first
    while offset < halves.byteCount {
      put(bigEndian: UInt64(halves.half(at: offset)), width: width)
      offset &+= 4 &* step
    }
  }
}
