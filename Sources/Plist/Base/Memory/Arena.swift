/// An array with reference semantics but without the exclusivity checks of `Array` properties.
///
/// The encoder appends to several arenas for each value. If they were `Array` properties of a class, each append would
/// check for overlapping accesses and for other owners of the storage. Without these checks, writing 500 records as XML
/// takes 10.4 million instructions instead of 14.0 million. Each access to an element is complete before any other code
/// runs, so accesses on one thread never overlap. Two threads must not use an arena at the same time.
///
/// Builders use an arena as a stack: ``popArray(from:)`` moves the top elements into an array. The elements are stored
/// in a single block, which doubles in size when it is full.
@safe final class Arena<Element> {
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0
  /// The number of elements after which memory would run out, or `Int.max` if no such limit is known; see
  /// ``GrowingBuffer/bound``.
  private(set) var bound = Int.max

  init(capacity: Int = 16) {
    self.capacity = max(capacity, 1)
    unsafe base = Self.allocate(self.capacity)
  }

  deinit {
    removeAll()
    unsafe MemoryBlock.release(base)
  }

  @unsafe private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Element> {
    let size = size(of: capacity)
    // Sound: the memory is aligned for any element and has the requested size.
    return unsafe MemoryBlock.allocate(size).bindMemory(to: Element.self, capacity: capacity)
  }

  private static func size(of capacity: Int) -> Int {
    let (size, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(
      !overflow && MemoryLayout<Element>.alignment <= 16, "the requested memory is larger than the address space")
    return size
  }

  // All methods below are sound: the first `count` elements are initialized, and each method checks its index.

  subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count)
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      // Releasing the old element can run code that uses the arena, so the new element is stored first.
      let old = unsafe (base + index).move()
      unsafe (base + index).initialize(to: newValue)
      _ = consume old
    }
  }

  /// Swaps an element with a variable without retaining or releasing either.
  func swap(at index: Int, with element: inout Element) {
    precondition(index >= 0 && index < count)
    unsafe Swift.swap(&base[index], &element)
  }

  var last: Element? { count > 0 ? self[count - 1] : nil }

  func append(_ element: consuming Element) {
    if count == capacity { grow(to: capacity &* 2) }
    unsafe (base + count).initialize(to: element)
    count &+= 1
  }

  @inline(never)
  private func grow(to larger: Int) {
    if _isPOD(Element.self) {
      // Trivial elements are moved by `realloc`, which can remap the pages of a large block instead of copying them.
      let moved = unsafe MemoryBlock.reallocate(base, to: Self.size(of: larger))
      unsafe base = moved.bindMemory(to: Element.self, capacity: larger)
    } else {
      let moved = unsafe Self.allocate(larger)
      unsafe moved.moveInitialize(from: base, count: count)
      unsafe MemoryBlock.release(base)
      unsafe base = moved
    }
    capacity = larger
    // Growing again takes a block of twice this size, and moving its elements into an array takes at least this size
    // again.
    let size = Self.size(of: larger)
    bound = MemoryBlock.isAvailable(3 * size) ? .max : count
  }

  @discardableResult
  func removeLast() -> Element {
    precondition(count > 0)
    count &-= 1
    return unsafe (base + count).move()
  }

  func reserve(_ additional: Int) {
    if additional > capacity - count { grow(to: max(count + additional, capacity * 2)) }
  }

  /// Moves the elements from `start` on out of the arena and into an array.
  func popArray(from start: Int) -> [Element] {
    precondition(start >= 0 && start <= count)
    let length = count - start
    guard length > 0 else { return [] }
    let array: [Element]
    if length <= Self.fewElements {
      var few: [Element] = []
      few.reserveCapacity(length)
      for index in start..<count { few.append(unsafe (base + index).move()) }
      array = few
    } else {
      array = unsafe [Element](unsafeUninitializedCapacity: length) { buffer, initialized in
        unsafe buffer.baseAddress?.moveInitialize(from: base + start, count: length)
        initialized = length
      }
    }
    count = start
    return array
  }

  /// The largest number of elements that ``popArray(from:)`` moves one by one.
  ///
  /// The initializer that moves all of them at once isn't specialized and takes 650 instructions even for a few
  /// elements.
  private static var fewElements: Int { 16 }

  /// Removes all but the first `kept` elements.
  func truncate(to kept: Int) {
    precondition(kept >= 0 && kept <= count)
    if _isPOD(Element.self) { count = kept }
    // Releasing an element can run code that uses the arena, so each element is removed before it is released.
    while count > kept { removeLast() }
  }

  /// Removes all elements, keeping memory for at most `kept` of them.
  func removeAll(keeping kept: Int = .max) {
    truncate(to: 0)
    guard capacity > kept else { return }
    unsafe MemoryBlock.release(base)
    capacity = max(kept, 1)
    unsafe base = Self.allocate(capacity)
  }
}

extension Arena<String> {
  /// Whether the string at `index` equals `other`.
  func isEqual(at index: Int, to other: String) -> Bool {
    #if canImport(ObjectiveC)
    // Comparing a string bridged from Objective-C can call an `NSString` subclass, which could remove the string from
    // the arena, so `element` retains it during the comparison.
    let element = self[index]
    return element == other
    #else
    precondition(index >= 0 && index < count)
    // Sound: the element is initialized, and comparing native strings runs no code that uses the arena.
    return unsafe base[index] == other
    #endif
  }
}
