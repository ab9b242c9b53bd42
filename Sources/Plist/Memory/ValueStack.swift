/// A stack that can pop many elements as an array without copying them one by one.
@safe struct ValueStack<Element>: ~Copyable {
  /// The memory of the elements, from ``MemoryBlock/allocate(_:)``; the buffer is empty until the first push.
  private var storage = unsafe UnsafeMutableBufferPointer<Element>(start: nil, count: 0)
  private(set) var count = 0

  /// The maximum number of elements that are moved one by one.
  ///
  /// The initializer that moves all elements at once is not specialized, so it takes 650 instructions even for few
  /// elements.
  private static var fewElements: Int { 16 }

  init() {}

  deinit {
    // Sound: exactly the first `count` elements are initialized, here and below.
    unsafe UnsafeMutableBufferPointer(rebasing: storage[..<count]).deinitialize()
    unsafe MemoryBlock.release(storage.baseAddress)
  }

  @inline(__always)
  mutating func push(_ element: consuming Element) {
    if unsafe count == storage.count { grow() }
    unsafe storage.initializeElement(at: count, to: element)
    count += 1
  }

  mutating func reserve(_ additional: Int) {
    if unsafe additional > storage.count - count { grow(to: unsafe max(count + additional, storage.count * 2)) }
  }

  private mutating func grow() { grow(to: unsafe max(64, storage.count * 2)) }

  @inline(never)
  private mutating func grow(to capacity: Int) {
    let (size, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(!overflow, "the requested memory is larger than the address space")
    // Sound: the block has the required size, and is aligned for any type.
    let start = unsafe MemoryBlock.allocate(size).bindMemory(to: Element.self, capacity: capacity)
    let larger = unsafe UnsafeMutableBufferPointer(start: start, count: capacity)
    _ = unsafe larger.moveInitialize(fromContentsOf: storage[..<count])
    unsafe MemoryBlock.release(storage.baseAddress)
    unsafe storage = larger
  }

  @inline(__always)
  mutating func popArray(from start: Int) -> [Element] {
    precondition(start >= 0 && start <= count)
    let length = count - start
    guard length > 0 else { return [] }
    let array: [Element]
    if length <= Self.fewElements {
      var few: [Element] = []
      few.reserveCapacity(length)
      for index in start..<start + length { unsafe few.append(storage.moveElement(from: index)) }
      array = few
    } else {
      array = unsafe [Element](unsafeUninitializedCapacity: length) { buffer, initialized in
        _ = unsafe buffer.moveInitialize(fromContentsOf: storage[start..<start + length])
        initialized = length
      }
    }
    count = start
    return array
  }

  var last: Element {
    precondition(count > 0)
    return unsafe storage[count - 1]
  }

  subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count)
    return unsafe storage[index]
  }

  @inline(__always)
  mutating func pop() -> Element {
    precondition(count > 0)
    count -= 1
    return unsafe storage.moveElement(from: count)
  }
}
