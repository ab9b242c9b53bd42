/// A value that only one thread at a time can access.
///
/// Copies share the value and its lock. Hold the lock only briefly. A closure that accesses the value again while it
/// holds the lock deadlocks.
///
/// This uses the system's lock, because the standard library's `Mutex` requires newer Apple systems than this package
/// and isn't supported by the thread sanitizer on Linux, where Foundation's `NSLock` requires all of Foundation.
///
/// Without `@usableFromInline` on the type, other modules couldn't inline `withLock`. Without `@inline(__always)`,
/// generic code would look up the value's type at each call. Together, the two attributes halve the time of a read in
/// `ObservableDefaults`.
///
/// The unchecked conformance to `Sendable` is sound because the value is accessed only while the lock is held.
@safe @usableFromInline package struct Guarded<Value>: @unchecked Sendable {
  @usableFromInline let storage: GuardedStorage<Value>

  package init(_ value: sending Value) {
    // Sound: `create` returns an instance of the class it is called on.
    unsafe storage = unsafeDowncast(
      GuardedStorage<Value>.create(minimumCapacity: 1) { _ in value }, to: GuardedStorage<Value>.self)
    storage.makeLock()
  }

  /// Calls `body` with the value while holding the lock.
  ///
  /// `body` must return only objects that threads can share, because objects aren't copied out as values are. The
  /// compiler doesn't check this.
  @inlinable @inline(__always) package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    storage.lock()
    defer { storage.unlock() }
    // Sound: the value is initialized, and no other thread can access it during the call.
    return try unsafe storage.withUnsafeMutablePointerToHeader { (value) throws(Failure) in
      try unsafe body(&value.pointee)
    }
  }
}

/// A value together with its lock in a single allocation.
///
/// The elements of a managed buffer keep their address, which the lock requires.
@safe @usableFromInline final class GuardedStorage<Value>: ManagedBuffer<Value, SystemMutex> {
  fileprivate func makeLock() {
    // Sound: the buffer has room for one element, which has not been initialized yet.
    unsafe withUnsafeMutablePointerToElements { element in
      unsafe element.initialize(to: SystemMutex())
      unsafe element.make(isRecursive: false)
    }
  }

  @usableFromInline func lock() { unsafe withUnsafeMutablePointerToElements { unsafe $0.lock() } }

  @usableFromInline func unlock() { unsafe withUnsafeMutablePointerToElements { unsafe $0.unlock() } }

  deinit {
    // Sound: in `deinit`, no other reference exists, so nobody holds the lock.
    unsafe withUnsafeMutablePointerToElements { element in
      unsafe element.destroy()
      unsafe element.deinitialize(count: 1)
    }
  }
}

/// A lock without a value.
///
/// The unchecked conformance to `Sendable` is sound because any thread can use a system mutex.
@safe package final class Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<SystemMutex>

  /// - Parameter isRecursive: Whether a thread that holds the lock can acquire it again.
  package init(isRecursive: Bool = false) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: SystemMutex())
    unsafe mutex.make(isRecursive: isRecursive)
  }

  // Sound: in `deinit`, no other reference exists, so nobody holds the lock.
  deinit {
    unsafe mutex.destroy()
    unsafe mutex.deinitialize(count: 1)
    unsafe mutex.deallocate()
  }

  package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    unsafe mutex.lock()
    defer { unsafe mutex.unlock() }
    return try body()
  }
}
