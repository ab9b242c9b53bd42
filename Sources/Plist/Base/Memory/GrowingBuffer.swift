#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A growing list of plain values that can become a constant ``FrozenBuffer`` or, if the values are bytes, `Data`.
///
/// It isn't copyable, so changing an element needs no check for other owners. The block has ``ByteCursor/slack`` bytes
/// beyond the capacity, because a ``ByteCursor`` writes whole words.
///
/// `Sendable` is unchecked because of the pointer. It is sound because a `GrowingBuffer` is the only owner of its
/// memory, and a shared one can't be mutated.
@safe struct GrowingBuffer<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
  private let block: MemoryBlock
  /// The address of ``block``'s bytes, cached here to save an access to the object.
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0
  /// The number of elements after which memory would run out, or `Int.max` if no such limit is known.
  ///
  /// A list that is filled while a document is read keeps doubling its block. Each time, it also checks whether there
  /// is memory for the next doubling, so that the reader can throw an error in time.
  private(set) var bound = Int.max

  /// Creates an empty list with memory for `capacity` elements.
  init(capacity: Int) {
    let capacity = max(capacity, 1)
    self.init(MemoryBlock(size: Self.size(of: capacity)), capacity: capacity, count: 0)
    findBound()
  }

  private init(_ block: MemoryBlock, capacity: Int, count: Int) {
    self.block = block
    self.capacity = capacity
    // Sound: the block has the required size and is aligned for any type.
    unsafe base = block.base.bindMemory(to: Element.self, capacity: capacity)
    self.count = count
  }

  /// Returns the size in bytes of a block for `capacity` elements plus the slack.
  private static func size(of capacity: Int) -> Int {
    let (size, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(
      !overflow && size <= Int.max - ByteCursor.slack, "the requested memory is larger than the address space")
    return size + ByteCursor.slack
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(by: 1) }
    // Sound: the element is within the block, as checked.
    unsafe (base + count).initialize(to: element)
    count &+= 1
  }

  /// The number of elements that fit into the largest block that glibc's per-thread cache keeps, which has 1032 bytes.
  ///
  /// Larger blocks take 300 to 700 more instructions to allocate and free.
  static var cachedCapacity: Int { (1032 - ByteCursor.slack) / MemoryLayout<Element>.stride }

  /// Makes room for `additional` elements.
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
    // A large block is remapped, so it takes only as much memory as it grows by; a smaller one is copied.
    let wanted = size >= Self.roomySize ? size : max(2 * size, Self.roomySize)
    bound = size < MemoryBlock.largeSize || MemoryBlock.isAvailable(wanted) ? .max : capacity
  }

  /// The sizes, in bytes, at which a growing block is replaced by a new one of at least ``roomySize``.
  ///
  /// With `realloc` alone, glibc would later copy up to 32 MB to a separate mapping before we could request huge pages
  /// for it. Copying early instead saves 10 % when writing 60 MB of XML. Unused pages of the new block take no memory.
  private static var sizesToLeave: Range<Int> { 4 << 20..<16 << 20 }

  private static var roomySize: Int { 64 << 20 }

  private mutating func resize(to newCapacity: Int) {
    // Sound: nothing else refers to the block, and its old address is no longer used.
    unsafe block.resize(to: Self.size(of: newCapacity))
    capacity = newCapacity
    unsafe base = block.base.bindMemory(to: Element.self, capacity: newCapacity)
  }

  subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count)
      // Sound: the element is initialized, as checked.
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  mutating func removeAll() { count = 0 }

  /// Removes all elements, keeping memory for at most `kept` of them.
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
    // Sound: the two blocks are distinct, and both have memory for at least `count` elements.
    unsafe copy.base.initialize(from: base, count: count)
    copy.count = count
    return copy
  }

  @inline(__always)
  func withSpan<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    // Sound: the first `count` elements are initialized, and `block` outlives the call.
    let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count &* MemoryLayout<Element>.stride)
    defer { withExtendedLifetime(block) {} }
    return try body(unsafe bytes.bytes)
  }

  /// Returns the elements as a constant list, freeing unused memory if it exceeds both 64 KiB and half of the capacity.
  consuming func frozen() -> FrozenBuffer<Element> {
    if capacity / 2 > count, (capacity - count) * MemoryLayout<Element>.stride > 1 << 16 { resize(to: max(count, 1)) }
    return unsafe FrozenBuffer(block, base, count: count)
  }
}

extension GrowingBuffer where Element: FixedWidthInteger {
  /// Creates a list of `count` zeros, without writing to large blocks, which the system provides already zeroed.
  init(zeros count: Int) {
    precondition(count >= 0, "the number of elements is negative")
    let capacity = max(count, 1)
    // In every integer type, 0 is represented by zero bytes.
    self.init(MemoryBlock(zeros: Self.size(of: capacity)), capacity: capacity, count: count)
  }
}

extension GrowingBuffer<UInt8> {
  @inline(__always)
  mutating func write(upTo size: Int, _ body: (inout ByteCursor) -> Void) {
    if size < 0 || size > capacity &- count { grow(by: size) }
    // Sound: the list has allocated the memory, and nothing else refers to it. The cursor can't be copied, so it
    // doesn't outlive `body`. It writes at most `size` bytes and, beyond them, only into the slack.
    // `distance(from:capacity:)` checks that `body` hasn't replaced it.
    let start = unsafe UnsafeMutableRawPointer(base + count)
    var cursor = unsafe ByteCursor(start, capacity: size)
    body(&cursor)
    count &+= unsafe cursor.distance(from: start, capacity: size)
  }

  /// The number of bytes that can be appended before the block has to grow.
  var freeCapacity: Int { capacity - count }

  /// Whether there is memory for `additional` more bytes and some to spare, up to 2 MiB.
  @inline(__always)
  func hasRoom(for additional: Int) -> Bool {
    additional < Self.fewBytes ? count <= bound &- Self.fewBytes : hasRoom(forMany: additional)
  }

  @inline(never)
  private func hasRoom(forMany additional: Int) -> Bool {
    let (needed, overflow) = additional.addingReportingOverflow(count + Self.fewBytes)
    return !overflow && (needed <= capacity || MemoryBlock.isAvailable(needed))
  }

  private static var fewBytes: Int { 2 << 20 }

  mutating func reserve(_ additional: Int) {
    if additional > freeCapacity { grow(by: additional) }
  }

  /// Reserves memory for exactly `additional` more bytes, or returns false if there isn't enough.
  mutating func reserveIfPossible(_ additional: Int) -> Bool {
    let (newCapacity, overflow) = count.addingReportingOverflow(additional)
    guard !overflow, newCapacity <= Int.max - ByteCursor.slack else { return false }
    if newCapacity <= capacity { return true }
    // Sound for the same reason as in `resize(to:)`.
    guard unsafe block.resizeIfPossible(to: Self.size(of: newCapacity)) else { return false }
    capacity = newCapacity
    unsafe base = block.base.bindMemory(to: UInt8.self, capacity: newCapacity)
    return true
  }

  /// Appends up to `size` bytes written by `fill`, which returns how many it wrote, or a negative number on failure.
  ///
  /// - Precondition: If `fill` returns *n*, it has initialized the first *n* bytes.
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

  /// Returns the eight bytes from `offset` on, with the first in the lowest bits.
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count &- 8)
    // Sound: the word is within the appended bytes.
    return UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  mutating func set(word: UInt64, at offset: Int) {
    precondition(offset >= 0 && offset <= count &- 8)
    unsafe raw.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  mutating func move(_ range: Range<Int>, to start: Int) {
    precondition(start >= 0 && start <= range.lowerBound && range.upperBound <= count)
    // Sound: the source and destination are within the appended bytes. Most ranges are short and are moved word by word
    // from front to back. Source and destination can overlap, because each word is loaded before its bytes are
    // overwritten. The last word can extend beyond both ranges, but not beyond the slack.
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
  /// Returns the bytes as `Data`, leaving the buffer empty and with little memory.
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

  /// The size in bytes up to which copying is faster than allocating a new buffer.
  private static var copiedSize: Int { 4096 }

  private func copiedData() -> Data {
    // Sound: the first `count` bytes are initialized, and `Data` copies them.
    unsafe Data(bytes: base, count: count)
  }

  /// Returns the bytes as `Data` without copying them.
  consuming func data() -> Data {
    guard count > 0 else { return Data() }
    // A writer that reserves two bytes for each character often uses slightly less than half of them; the margin of 64
    // bytes then avoids a reallocation.
    if capacity / 2 > max(count, 1 << 15) + 64 { resize(to: count) }
    let owner = block
    // Sound: the deallocator retains `owner`, which keeps the bytes alive until the data is released. The block's only
    // buffer is consumed, so no buffer refers to the block afterwards.
    return unsafe Data(bytesNoCopy: base, count: count, deallocator: .custom { _, _ in _ = owner })
  }
}

/// The elements of a ``GrowingBuffer`` that no longer changes.
///
/// `Sendable` is unchecked because of the pointer. It is sound because creating a `FrozenBuffer` consumes the
/// `GrowingBuffer`, and nothing writes through this pointer.
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
    // Sound: the element is initialized, as checked, and the block keeps it alive.
    return unsafe base.unsafelyUnwrapped[index]
  }
}
