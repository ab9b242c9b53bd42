import Synchronization

/// A piece of memory that nobody needs any more, for whoever needs one next.
///
/// To get the memory of a large index from the system, and to have that cleared, takes a third of the time to make the
/// index; of a small one, the allocator takes as large a part.
///
/// Unchecked because of the pointer: sound since only one thread at a time has it.
@safe struct SpareMemory: ~Copyable, @unchecked Sendable {
  /// The memory, with its size at its beginning; nil for none.
  private let memory = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

  /// Of the allocator.
  static let small = SpareMemory()
  /// Of the system, which takes what is in it back where it is short of memory.
  static let mapped = SpareMemory()

  /// Takes out the memory, if there is any.
  func take() -> (base: UnsafeMutableRawPointer, size: Int)? {
    // Sound: whoever gets the address out is the only one to have it, and the size was put there with it.
    guard let base = unsafe memory.exchange(nil, ordering: .acquiringAndReleasing) else { return nil }
    return unsafe (base, base.load(as: Int.self))
  }

  /// Keeps memory that nobody else has, unless there is some already; returns whether it does.
  func keep(_ base: UnsafeMutableRawPointer, size: Int) -> Bool {
    // Sound: the memory is the caller's to give, and has room for a number.
    unsafe base.storeBytes(of: size, as: Int.self)
    return unsafe memory.compareExchange(expected: nil, desired: base, ordering: .acquiringAndReleasing).exchanged
  }
}
