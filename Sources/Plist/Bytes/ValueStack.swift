/// A stack from whose top whole arrays are taken without copying their elements one by one.
@safe struct ValueStack<Element>: ~Copyable {
  private var storage: UnsafeMutableBufferPointer<Element>
  /// The number of elements.
  private(set) var count = 0

  init(capacity: Int = 64) {
    unsafe storage = .allocate(capacity: max(capacity, 1))
  }

  deinit {
    // Sound: exactly the first `count` elements are initialised, here and below.
    unsafe UnsafeMutableBufferPointer(rebasing: storage[..<count]).deinitialize()
    unsafe storage.deallocate()
  }

  @inline(__always)
  mutating func push(_ element: consuming Element) {
    if unsafe count == storage.count { grow() }
    unsafe storage.initializeElement(at: count, to: element)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = unsafe UnsafeMutableBufferPointer<Element>.allocate(capacity: storage.count * 2)
    _ = unsafe larger.moveInitialize(fromContentsOf: storage[..<count])
    unsafe storage.deallocate()
    unsafe storage = larger
  }

  /// Removes the elements from `start` on and returns them in their order.
  @inline(__always)
  mutating func popArray(from start: Int) -> [Element] {
    precondition(start >= 0 && start <= count)
    let length = count - start
    guard length > 0 else { return [] }
    let array = unsafe [Element](unsafeUninitializedCapacity: length) { buffer, initialized in
      _ = unsafe buffer.moveInitialize(fromContentsOf: storage[start..<start + length])
      initialized = length
    }
    count = start
    return array
  }

  /// The last element.
  ///
  /// - Precondition: The stack is not empty.
  var last: Element {
    precondition(count > 0)
    return unsafe storage[count - 1]
  }

  /// Removes the last element and returns it.
  ///
  /// - Precondition: The stack is not empty.
  mutating func pop() -> Element {
    precondition(count > 0)
    count -= 1
    return unsafe storage.moveElement(from: count)
  }
}
