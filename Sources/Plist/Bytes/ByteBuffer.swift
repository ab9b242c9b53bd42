#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A growing run of bytes, the output side of every writer.
///
/// It copies on write, so a copied writer goes its own way, and it hands its bytes over as `Data` without a copy.
struct ByteBuffer: Sendable {
  private var storage: Storage
  /// The number of bytes appended so far.
  private(set) var count = 0

  init(capacity: Int = 256) {
    storage = Storage(capacity: max(capacity, 16))
  }

  /// Owns the allocation; freed with the last buffer or `Data` that refers to it.
  ///
  /// Unchecked because the pointer is shared: sound since a buffer writes only while it is the sole owner, and the
  /// `Data` made from it is only read.
  @safe private final class Storage: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int) {
      unsafe base = .allocate(byteCount: capacity, alignment: 16)
      self.capacity = capacity
    }

    deinit { unsafe base.deallocate() }
  }

  /// Makes room for `additional` bytes at the end, as the only owner of the storage.
  @inline(__always)
  mutating func reserve(_ additional: Int) {
    if additional > storage.capacity - count || !isKnownUniquelyReferenced(&storage) { grow(additional) }
  }

  @inline(never)
  private mutating func grow(_ additional: Int) {
    let larger = Storage(capacity: max(count + additional, storage.capacity * 2))
    // Sound: both allocations hold at least `count` bytes and are distinct.
    unsafe larger.base.copyMemory(from: storage.base, byteCount: count)
    storage = larger
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    // Sound: `reserve` made room for the byte; likewise in the functions below.
    unsafe storage.base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends the low `width` bytes of `word`, the lowest first; `width` is at most 8.
  @inline(__always)
  mutating func append(word: UInt64, width: Int = 8) {
    reserve(8)
    unsafe storage.base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
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
    unsafe storage.base.advanced(by: count).copyMemory(from: text.utf8Start, byteCount: length)
    count += length
  }

  mutating func append(_ bytes: RawSpan) {
    reserve(bytes.byteCount)
    unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe storage.base.advanced(by: count).copyMemory(from: start, byteCount: source.count)
    }
    count += bytes.byteCount
  }

  mutating func append(_ byte: UInt8, times: Int) {
    reserve(times)
    unsafe storage.base.advanced(by: count).initializeMemory(as: UInt8.self, repeating: byte, count: times)
    count += times
  }

  mutating func append(utf8 text: String) {
    text.withByteSpan { append($0) }
  }

  /// Lets `fill` write into room for `size` bytes at the end; it returns how many it has written, or a negative number.
  mutating func append(room size: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    reserve(size)
    let room = unsafe UnsafeMutableRawBufferPointer(start: storage.base.advanced(by: count), count: size)
    let written = unsafe fill(room)
    precondition(written <= size)
    if written > 0 { count += written }
    return written
  }

  /// Overwrites the byte at `offset`, which has been appended before.
  mutating func set(_ byte: UInt8, at offset: Int) {
    precondition(offset >= 0 && offset < count)
    reserve(0)
    unsafe storage.base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }

  /// Forgets the bytes but keeps the room.
  mutating func removeAll() { count = 0 }

  /// Forgets the bytes from `newCount` on.
  mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  /// Where the bytes are, as long as this buffer exists and is not changed.
  var start: UnsafeRawPointer { unsafe UnsafeRawPointer(storage.base) }

  /// Calls `body` with the bytes appended so far.
  @inline(__always)
  func withSpan<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    // Sound: the first `count` bytes are initialised, and `storage` outlives the call.
    let bytes = unsafe UnsafeRawBufferPointer(start: storage.base, count: count)
    defer { withExtendedLifetime(storage) {} }
    return try body(unsafe bytes.bytes)
  }

  /// The bytes, handed over without a copy.
  consuming func data() -> Data {
    guard count > 0 else { return Data() }
    let owner = storage
    // Sound: the deallocator keeps `owner`, and with it the allocation, until the data is gone. The data may be changed
    // in place, so no other buffer may share the storage: a copy of this buffer is not to be used any more.
    return unsafe Data(bytesNoCopy: owner.base, count: count, deallocator: .custom { _, _ in _ = owner })
  }
}
