/// Elements that are appended one by one, as many as there was room promised for, and then stay as they are.
///
/// Room is address space, of which only what is written takes memory; see ``MemoryBlock``. Nothing moves.
@safe struct GrowingRoom<Element: BitwiseCopyable & Sendable>: ~Copyable {
  private let block: MemoryBlock
  private let base: UnsafeMutablePointer<Element>
  private let capacity: Int
  private(set) var count = 0

  /// Makes room for `capacity` elements, in a block that nobody else has if that is large enough.
  init(capacity: Int, reusing spare: MemoryBlock? = nil) {
    let (size, overflow) = max(capacity, 1).multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    precondition(!overflow, "more than can be addressed")
    if let spare, spare.size >= size { block = spare } else { block = MemoryBlock(size: size) }
    // Sound: the block has that size, and is aligned for any type.
    unsafe base = block.base.bindMemory(to: Element.self, capacity: max(capacity, 1))
    self.capacity = max(capacity, 1)
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    precondition(count < capacity)
    // Sound: within the block, as checked.
    unsafe (base + count).initialize(to: element)
    count &+= 1
  }

  /// An element that has been appended.
  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count)
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  /// The elements, for good.
  consuming func frozen() -> FrozenRoom<Element> { unsafe FrozenRoom(block, base, count: count) }
}

/// The elements of a ``GrowingRoom`` that nobody changes any more.
///
/// Unchecked because of the pointer: sound since the room's only owner gave it up, and nobody writes through this one.
@safe struct FrozenRoom<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private var block: MemoryBlock?
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

  /// Gives the elements up, and returns the block they were in if nobody else has it.
  mutating func reclaim() -> MemoryBlock? {
    let spare = isKnownUniquelyReferenced(&block) ? block : nil
    self = FrozenRoom()
    return spare
  }

  /// The element at `index`.
  @inline(__always)
  subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count)
    // Sound: initialized, as checked, which there is only in a block, and alive as long as that.
    return unsafe base.unsafelyUnwrapped[index]
  }
}
