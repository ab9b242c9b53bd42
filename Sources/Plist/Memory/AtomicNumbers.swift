import Synchronization

/// A fixed number of small numbers that threads share without a lock: hints that any thread may change at any time.
///
/// Each number is read and written atomically, and nothing is promised about their order. A read takes one load. The
/// conformance is unchecked, because the compiler cannot verify that atomics behind a pointer may be shared.
@safe final class AtomicNumbers: @unchecked Sendable {
  private let numbers: UnsafeMutableBufferPointer<Atomic<UInt32>>

  /// Makes the numbers from 0 to `count` − 1.
  init(upTo count: Int) {
    precondition(count >= 0)
    // Sound: the buffer has memory for `count` numbers. All are initialized here, and deinitialized and deallocated
    // once.
    unsafe numbers = UnsafeMutableBufferPointer.allocate(capacity: count)
    for index in 0..<count {
      unsafe numbers.baseAddress.unsafelyUnwrapped.advanced(by: index)
        .initialize(to: Atomic(UInt32(truncatingIfNeeded: index)))
    }
  }

  deinit {
    // Sound: there is no other reference to the object.
    unsafe numbers.deinitialize()
    unsafe numbers.deallocate()
  }

  /// The number of numbers.
  var count: Int { unsafe numbers.count }

  /// The number at `index`.
  ///
  /// - Precondition: `index` is not negative and below ``count``.
  @inline(__always)
  subscript(index: Int) -> UInt32 {
    get {
      precondition(unsafe index >= 0 && index < numbers.count)
      // Sound: the index is within the memory, all of which is initialized.
      return unsafe numbers.baseAddress.unsafelyUnwrapped[index].load(ordering: .relaxed)
    }
    set {
      precondition(unsafe index >= 0 && index < numbers.count)
      // Sound: as above.
      unsafe numbers.baseAddress.unsafelyUnwrapped[index].store(newValue, ordering: .relaxed)
    }
  }
}
