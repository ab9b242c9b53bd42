#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A growing list of plain values, which becomes a constant ``FrozenBuffer`` when it is complete; a list of bytes can
/// also become `Data`.
///
/// A `GrowingBuffer` is not copyable, so changing an element needs no check for other owners of the memory. The memory
/// block of a list has ``ByteCursor/slack`` extra bytes after the list's capacity, because a ``ByteCursor`` writes
/// whole words.
///
/// The conformance to `Sendable` is unchecked, because the type has a pointer. It is sound: a `GrowingBuffer` is the
/// only owner of its memory, and the compiler allows no change through a shared one.
@safe struct GrowingBuffer<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  private let block: MemoryBlock
  /// The address of the first byte of ``block``, stored in this struct to save an access to the block object.
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0
  /// The number of elements at which the list has to stop growing, as far as is known.
  ///
  /// A list that fills while a document is read doubles its block again and again. After each time, it finds out
  /// whether there will be memory for the next, so that the reader can throw an error before.
  private(set) var bound = Int.max

  /// Creates an empty list; `capacity` is the number of elements for which memory is allocated.
  init(capacity: Int) {
    let capacity = max(capacity, 1)
    self.init(MemoryBlock(size: Self.size(of: capacity)), capacity: capacity, count: 0)
  }

  private init(_ block: MemoryBlock, capacity: Int, count: Int) {
    self.block = block
    self.capacity = capacity
    // The unsafe code is sound: the block has the required size, and is aligned for any type.
    unsafe base = block.base.bindMemory(to: Element.self, capacity: capacity)
    self.count = count
  }

  /// Returns the size in bytes of a block for `capacity` elements and the slack.
  private static func size(of capacity: Int) -> Int {
    let (size, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(
      !overflow && size <= Int.max - ByteCursor.slack, "the requested memory is larger than the address space")
    return size + ByteCursor.slack
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(by: 1) }
    // The unsafe code is sound: the element is within the block, as checked.
    unsafe (base + count).initialize(to: element)
    count &+= 1
  }

  /// The capacity in elements of the largest block from glibc's per-thread cache, whose blocks have at most 1032 bytes.
  ///
  /// A block of more than 1032 bytes takes 300 to 700 more instructions to allocate and free than a cached block.
  static var cachedCapacity: Int { (1032 - ByteCursor.slack) / MemoryLayout<Element>.stride }

  /// Makes the capacity larger, so that `additional` elements can be appended.
  @inline(never)
  private mutating func grow(by additional: Int) {
    precondition(additional >= 0, "the number of elements is negative")
    let larger = max(2 * capacity, count + additional, 64)
    defer { findBound() }
    #if os(Linux)
    if Self.sizesToLeave.contains(Self.size(of: capacity)) {
      self = copy(capacity: max(larger, Self.roomySize / MemoryLayout<Element>.stride))
      return
    }
    #endif
    resize(to: larger)
  }

  private mutating func findBound() {
    let size = Self.size(of: capacity)
    // A large block is remapped, so it needs only the memory by which it grows; a smaller one is copied.
    let wanted = size >= Self.roomySize ? size : max(2 * size, Self.roomySize)
    bound = size < MemoryBlock.largeSize || MemoryBlock.isAvailable(wanted) ? .max : capacity
  }

  /// The sizes in bytes at which a block that must grow is replaced by a new block of at least ``roomySize`` bytes.
  ///
  /// With `realloc` alone, glibc would later copy up to 32 MB to a separate mapping, before large pages are requested
  /// for that mapping. For documents of 60 MB, copying the bytes to a large block early saves 10 % of the time of
  /// writing XML. Unused pages of the new block take no memory.
  private static var sizesToLeave: Range<Int> { 4 << 20..<16 << 20 }

  private static var roomySize: Int { 64 << 20 }

  private mutating func resize(to newCapacity: Int) {
    // The unsafe code is sound: no other code refers to the block, and the old address of the block is not used any
    // more.
    unsafe block.resize(to: Self.size(of: newCapacity))
    capacity = newCapacity
    unsafe base = block.base.bindMemory(to: Element.self, capacity: newCapacity)
  }

  subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count)
      // The unsafe code is sound: the element is initialized, as checked.
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  mutating func removeAll() { count = 0 }

  /// Removes all elements, and keeps memory for at most `kept` elements.
  mutating func removeAll(keeping kept: Int) {
    count = 0
    if capacity > kept { self = GrowingBuffer(capacity: kept) }
  }

  mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  borrowing func copy() -> GrowingBuffer { copy(capacity: capacity) }

  private borrowing func copy(capacity: Int) -> GrowingBuffer {
    precondition(capacity >= count)
    var copy = GrowingBuffer(capacity: capacity)
    // The unsafe code is sound: both blocks have memory for at least `count` elements and are distinct.
    unsafe copy.base.initialize(from: base, count: count)
    copy.count = count
    return copy
  }

  @inline(__always)
  func withSpan<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    // The unsafe code is sound: the first `count` elements are initialized, and `block` outlives the call.
    let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count &* MemoryLayout<Element>.stride)
    defer { withExtendedLifetime(block) {} }
    return try body(unsafe bytes.bytes)
  }

  /// Returns the elements as a constant list; if more than 64 KiB and more than half of the capacity is unused, frees
  /// the unused memory.
  consuming func frozen() -> FrozenBuffer<Element> {
    if capacity / 2 > count, (capacity - count) * MemoryLayout<Element>.stride > 1 << 16 { resize(to: max(count, 1)) }
    return unsafe FrozenBuffer(block, base, count: count)
  }
}

extension GrowingBuffer where Element: FixedWidthInteger {
  /// For a large list, the system provides memory that is already zero, so no zeros are written.
  init(zeros count: Int) {
    precondition(count >= 0, "the number of elements is negative")
    let capacity = max(count, 1)
    // All bytes of the integer 0 are zero, in every integer type.
    self.init(MemoryBlock(zeros: Self.size(of: capacity)), capacity: capacity, count: count)
  }
}

extension GrowingBuffer<UInt8> {
  @inline(__always)
  mutating func write(upTo size: Int, _ body: (inout ByteCursor) -> Void) {
    if size < 0 || size > capacity &- count { grow(by: size) }
    // The unsafe code is sound: the list has allocated the memory, and no other code refers to this memory. The cursor
    // does not outlive the call of `body`, because `body` cannot copy the cursor. The cursor writes at most `size`
    // bytes, and extra bytes only within the slack. The method `distance(from:capacity:)` checks that `body` has not
    // replaced the cursor.
    let start = unsafe UnsafeMutableRawPointer(base + count)
    var cursor = unsafe ByteCursor(start, capacity: size)
    body(&cursor)
    count &+= unsafe cursor.distance(from: start, capacity: size)
  }

  /// The number of bytes that can be appended before the block grows.
  var freeCapacity: Int { capacity - count }

  mutating func reserve(_ additional: Int) {
    if additional > freeCapacity { grow(by: additional) }
  }

  /// Reserves memory for exactly `additional` bytes more, or returns false if there is none.
  mutating func reserveIfPossible(_ additional: Int) -> Bool {
    let (newCapacity, overflow) = count.addingReportingOverflow(additional)
    guard !overflow, newCapacity <= Int.max - ByteCursor.slack else { return false }
    if newCapacity <= capacity { return true }
    // The unsafe code is sound for the reason in `resize(to:)`.
    guard unsafe block.resizeIfPossible(to: Self.size(of: newCapacity)) else { return false }
    capacity = newCapacity
    unsafe base = block.base.bindMemory(to: UInt8.self, capacity: newCapacity)
    return true
  }

  /// Calls `fill` to append up to `size` bytes; `fill` returns the number of bytes written, or a negative number after
  /// a failure.
  ///
  /// - Precondition: If `fill` returns *n*, `fill` must have initialized the first *n* bytes.
  @unsafe mutating func append(capacity size: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    precondition(size >= 0)
    reserve(size)
    let free = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: size)
    let written = unsafe fill(free)
    precondition(written <= size)
    if written > 0 { count += written }
    return written
  }

  private var raw: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(base) }

  /// Returns the eight appended bytes from `offset` on, with the first byte in the lowest bits.
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count &- 8)
    // The unsafe code is sound: the word is within the appended bytes.
    return UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  mutating func set(word: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- 8)
    unsafe raw.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  mutating func move(_ range: Range<Int>, to start: Int) {
    precondition(start >= 0 && start <= range.lowerBound && range.upperBound <= count)
    // The unsafe code is sound: the source range and the destination range are within the appended bytes. Most moved
    // ranges are short, and are moved word by word from front to back. The source and the destination can overlap,
    // because each word is loaded before its bytes are overwritten. The last word can extend beyond the range and the
    // destination, but not beyond the slack.
    if range.count <= 64, range.lowerBound - start >= 8 {
      var offset = 0
      while offset < range.count {
        let word = unsafe raw.loadUnaligned(fromByteOffset: range.lowerBound + offset, as: UInt64.self)
        unsafe raw.storeBytes(of: word, toByteOffset: start + offset, as: UInt64.self)
        offset += 8
      }
    } else {
      unsafe (raw + start).copyMemory(from: raw + range.lowerBound, byteCount: range.count)
    }
  }
}

// MARK: Data

extension GrowingBuffer<UInt8> {
  /// Returns the bytes as `Data`, and removes them from the buffer, which is then empty and keeps little memory.
  mutating func takeData() -> Data {
    if count <= Self.copiedSize {
      let data = copiedData()
      if capacity > 1 << 16 { self = GrowingBuffer(capacity: Self.copiedSize) }
      count = 0
      return data
    }
    var bytes = GrowingBuffer(capacity: 16)
    swap(&bytes, &self)
    return bytes.data()
  }

  /// The maximum size in bytes at which copying the bytes takes less time than allocating a new buffer.
  private static var copiedSize: Int { 4096 }

  private func copiedData() -> Data {
    // The unsafe code is sound: the first `count` bytes are initialized, and `Data` copies these bytes.
    unsafe Data(bytes: base, count: count)
  }

  /// Returns the bytes as `Data`, without a copy.
  consuming func data() -> Data {
    guard count > 0 else { return Data() }
    // A writer that reserves capacity for two bytes per character often uses a few bytes less than half of the
    // capacity. The margin of 64 bytes avoids a reallocation if the bytes fill slightly less than half of the capacity.
    if capacity / 2 > max(count, 1 << 15) + 64 { resize(to: count) }
    let owner = block
    // The unsafe code is sound: the deallocator retains `owner`, which keeps the bytes alive until the data is
    // released. The function consumes the only buffer of the block, so afterwards no buffer refers to the block.
    return unsafe Data(bytesNoCopy: base, count: count, deallocator: .custom { _, _ in _ = owner })
  }
}

/// A constant list of the elements of a ``GrowingBuffer``.
///
/// The conformance of `FrozenBuffer` to `Sendable` is unchecked, because the type has a pointer. The conformance is
/// sound: creating a `FrozenBuffer` consumes the `GrowingBuffer`, and no code writes through the pointer of a
/// `FrozenBuffer`.
@safe struct FrozenBuffer<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let block: MemoryBlock?
  private let base: UnsafePointer<Element>?
  let count: Int

  init() {
    block = nil
    unsafe base = nil
    count = 0
  }

  fileprivate init(_ block: MemoryBlock, _ base: UnsafeMutablePointer<Element>, count: Int) {
    self.block = block
    unsafe self.base = UnsafePointer(base)
    self.count = count
  }

  subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count)
    // The unsafe code is sound: the element is initialized, as checked, and the block keeps the element alive.
    return unsafe base.unsafelyUnwrapped[index]
  }
}
