/// A value in memory of its own that a class keeps, in place of stored properties of its own.
///
/// The runtime checks each access to a class's variables for overlaps with others, which takes as long as what a decoder
/// does with them. Sound under the conditions that whoever makes one deallocates it once, when nobody uses it any more,
/// and that no access lasts while code runs that might access the same value: accesses are loads, stores and changes of
/// single fields. It is for one thread at a time.
@safe struct UncheckedBox<Value: ~Copyable> {
  private let pointer: UnsafeMutablePointer<Value>

  init(_ value: consuming Value) {
    // Sound: the block has that size, and is aligned for any type.
    unsafe pointer = MemoryBlock.allocate(MemoryLayout<Value>.stride).bindMemory(to: Value.self, capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  /// Gives the memory back.
  func deallocate() {
    unsafe pointer.deinitialize(count: 1)
    unsafe MemoryBlock.release(pointer)
  }

  /// The value.
  var value: Value {
    // Addresses: coroutines, as `_read` and `_modify` are, are not always inlined.
    @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
  }
}

/// A fixed number of small numbers that a class keeps; see ``UncheckedBox``.
@safe struct UncheckedNumbers<Number: FixedWidthInteger & BitwiseCopyable> {
  private var numbers: UnsafeMutableBufferPointer<Number>

  /// No numbers.
  init() { unsafe numbers = UnsafeMutableBufferPointer(start: nil, count: 0) }

  /// The numbers from 0 to `count` − 1.
  init(upTo count: Int) {
    // Sound: the block has that size, and is aligned for any type.
    let start = unsafe MemoryBlock.allocate(count * MemoryLayout<Number>.stride)
      .bindMemory(to: Number.self, capacity: count)
    unsafe numbers = UnsafeMutableBufferPointer(start: start, count: count)
    for index in 0..<count { unsafe numbers.initializeElement(at: index, to: Number(truncatingIfNeeded: index)) }
  }

  /// How many numbers there are.
  var count: Int { unsafe numbers.count }

  /// Makes the numbers at least `count`, whatever they are then.
  @inline(__always)
  mutating func makeRoom(for count: Int) {
    if unsafe numbers.count < count { grow(to: count) }
  }

  @inline(never)
  private mutating func grow(to count: Int) {
    deallocate()
    self = UncheckedNumbers(upTo: max(count, 16))
  }

  /// Gives the memory back.
  func deallocate() { unsafe MemoryBlock.release(numbers.baseAddress) }

  /// - Precondition: `index` is not negative and less than the number of numbers.
  @inline(__always)
  subscript(index: Int) -> Number {
    get {
      precondition(unsafe index >= 0 && index < numbers.count)
      // Sound: within the memory, all of which is initialized.
      return unsafe numbers[index]
    }
    nonmutating set {
      precondition(unsafe index >= 0 && index < numbers.count)
      unsafe numbers[index] = newValue
    }
  }
}
