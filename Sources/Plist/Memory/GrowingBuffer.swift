/// A growing list of plain values, which is frozen when it is complete.
///
/// It cannot be copied, so that, unlike an array, it does not check for other owners at each element.
@safe struct GrowingBuffer<Element: BitwiseCopyable & Sendable>: ~Copyable {
  private let block: MemoryBlock
  /// The start of ``block``, stored to save an access to the object.
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  /// Makes a list of `capacity` elements before it grows.
  init(capacity: Int) {
    let (size, overflow) = max(capacity, 1).multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(!overflow, "more than can be addressed")
    block = MemoryBlock(size: size)
    self.capacity = block.size / MemoryLayout<Element>.stride
    // Sound: the block has that size, and is aligned for any type.
    unsafe base = block.base.bindMemory(to: Element.self, capacity: self.capacity)
  }

  private init(_ block: MemoryBlock, count: Int) {
    self.block = block
    capacity = block.size / MemoryLayout<Element>.stride
    // Sound: the block has that size, and is aligned for any type.
    unsafe base = block.base.bindMemory(to: Element.self, capacity: capacity)
    self.count = count
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    // Sound: within the block, as checked.
    unsafe (base + count).initialize(to: element)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    resize(to: max(2 * capacity, 64))
  }

  private mutating func resize(to newCapacity: Int) {
    let (size, overflow) = newCapacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(!overflow, "more than can be addressed")
    // Sound: nothing else refers to the block, and the old base is not used any more.
    unsafe block.resize(to: size)
    capacity = newCapacity
    unsafe base = block.base.bindMemory(to: Element.self, capacity: newCapacity)
  }

  /// An element that has been appended.
  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count)
      // Sound: initialized, as checked.
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  /// Forgets the elements but keeps the memory.
  mutating func removeAll() { count = 0 }

  /// Forgets the elements from `newCount` on.
  mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    count = newCount
  }

  /// A list of its own with the same elements.
  borrowing func copy() -> GrowingBuffer {
    var copy = GrowingBuffer(capacity: capacity)
    // Sound: both blocks hold at least `count` elements and are distinct.
    unsafe copy.base.initialize(from: base, count: count)
    copy.count = count
    return copy
  }

  /// Calls `body` with the bytes of the elements.
  @inline(__always)
  func withSpan<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    // Sound: the first `count` elements are initialized, and `block` outlives the call.
    let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count &* MemoryLayout<Element>.stride)
    defer { withExtendedLifetime(block) {} }
    return try body(unsafe bytes.bytes)
  }

  /// The elements, for good; most of the memory that was not needed is given back.
  consuming func frozen() -> FrozenBuffer<Element> {
    if capacity - count > max(count / 8, 4096) { resize(to: max(count, 1)) }
    return unsafe FrozenBuffer(block, base, count: count)
  }
}

extension GrowingBuffer where Element: FixedWidthInteger {
  /// Makes a list of `count` zeros, for which large memory is not written to.
  init(zeros count: Int) {
    let (size, overflow) = max(count, 1).multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(count >= 0 && !overflow, "more than can be addressed")
    // The bytes of zero are zeros in any integer type.
    self.init(MemoryBlock(zeros: size), count: count)
  }
}

extension GrowingBuffer<UInt8> {
  /// Lets `body` write at most `size` bytes at the end.
  @inline(__always)
  mutating func write(upTo size: Int, _ body: (inout ByteCursor) -> Void) {
    if size < 0 || size > capacity &- count &- ByteCursor.slack { grow(forWriting: size) }
    // Sound: that much memory was allocated, no other code refers to it, and the cursor does not outlive the call: it
    // is lent to a closure that cannot copy it. The cursor checks each store against `size`, and that it is the same
    // one.
    let start = unsafe UnsafeMutableRawPointer(base + count)
    var cursor = unsafe ByteCursor(start, capacity: size)
    body(&cursor)
    count &+= unsafe cursor.distance(from: start, capacity: size)
  }

  @inline(never)
  private mutating func grow(forWriting size: Int) {
    precondition(size >= 0, "a negative number of bytes")
    resize(to: max(2 * capacity, count + size + ByteCursor.slack))
  }

  /// Appends the bytes of a span.
  mutating func append(_ bytes: RawSpan) { write(upTo: bytes.byteCount) { $0.put(bytes) } }
}

/// The elements of a ``GrowingBuffer`` that do not change any more.
///
/// Unchecked because of the pointer: sound since the list's only owner gave it up, and no code writes through this one.
@safe struct FrozenBuffer<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let block: MemoryBlock?
  private let base: UnsafePointer<Element>?
  let count: Int

  /// No elements.
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

  /// The element at `index`.
  @inline(__always)
  subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count)
    // Sound: initialized, as checked, which there is only in a block, and alive as long as that.
    return unsafe base.unsafelyUnwrapped[index]
  }
}
