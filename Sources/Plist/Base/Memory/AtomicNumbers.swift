import Synchronization

/// A fixed number of small numbers, which threads share without a lock.
///
/// Any thread can change any of them at any time, so they are only hints. Each is read and written atomically, with
/// relaxed ordering, and reading takes one load. Unchecked, because the compiler cannot verify that threads can share
/// atomics behind a pointer.
@safe final class AtomicNumbers: @unchecked Sendable {
  private let numbers: UnsafeMutableBufferPointer<Atomic<UInt32>>

  /// The numbers from 0 to `count` − 1.
  init(upTo count: Int) {
    precondition(count >= 0)
    // Sound: the buffer has memory for `count` numbers, which are all initialized here, and deinitialized and
    // deallocated once, in `deinit`.
    unsafe numbers = UnsafeMutableBufferPointer.allocate(capacity: count)
    for index in 0..<count {
      unsafe numbers.baseAddress.unsafelyUnwrapped.advanced(by: index)
        .initialize(to: Atomic(UInt32(truncatingIfNeeded: index)))
    }
  }

  deinit {
    // Sound: in `deinit`, there is no other reference to the list.
    unsafe numbers.deinitialize()
    unsafe numbers.deallocate()
  }

  subscript(index: Int) -> UInt32 {
    get {
      precondition(unsafe index >= 0 && index < numbers.count)
      // Sound: the index is within the buffer, all of which is initialized.
      return unsafe numbers.baseAddress.unsafelyUnwrapped[index].load(ordering: .relaxed)
    }
    set {
      precondition(unsafe index >= 0 && index < numbers.count)
      // Sound: the index is within the buffer, all of which is initialized.
      unsafe numbers.baseAddress.unsafelyUnwrapped[index].store(newValue, ordering: .relaxed)
    }
  }
}
