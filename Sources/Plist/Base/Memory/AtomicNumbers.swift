import Synchronization

/// A fixed-length list of small numbers, which threads share without a lock.
///
/// Any thread can change any number at any time, so callers treat the numbers only as hints.
///
/// Each number is read and written atomically, with relaxed memory ordering. Reading a number takes one load
/// instruction. The conformance of `AtomicNumbers` to `Sendable` is unchecked, because the compiler cannot verify that
/// threads can share atomics behind a pointer.
@safe final class AtomicNumbers: @unchecked Sendable {
  private let numbers: UnsafeMutableBufferPointer<Atomic<UInt32>>

  /// Creates a list of the numbers from 0 to `count` − 1.
  init(upTo count: Int) {
    precondition(count >= 0)
    // The unsafe code is sound: the buffer has memory for `count` numbers. The initializer initializes all numbers, and
    // `deinit` deinitializes and deallocates all numbers once.
    unsafe numbers = UnsafeMutableBufferPointer.allocate(capacity: count)
    for index in 0..<count {
      unsafe numbers.baseAddress.unsafelyUnwrapped.advanced(by: index)
        .initialize(to: Atomic(UInt32(truncatingIfNeeded: index)))
    }
  }

  deinit {
    // The unsafe code is sound: in `deinit`, no other reference to the list exists.
    unsafe numbers.deinitialize()
    unsafe numbers.deallocate()
  }

  subscript(index: Int) -> UInt32 {
    get {
      precondition(unsafe index >= 0 && index < numbers.count)
      // The unsafe code is sound: the index is within the buffer, and all elements of the buffer are initialized.
      return unsafe numbers.baseAddress.unsafelyUnwrapped[index].load(ordering: .relaxed)
    }
    set {
      precondition(unsafe index >= 0 && index < numbers.count)
      // The unsafe code is sound: the index is within the buffer, and all elements of the buffer are initialized.
      unsafe numbers.baseAddress.unsafelyUnwrapped[index].store(newValue, ordering: .relaxed)
    }
  }
}
