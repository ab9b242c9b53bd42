/// A value that only one thread at a time can access.
///
/// Copies share the value and its lock. Hold the lock only briefly. A closure that accesses the value again while it
/// holds the lock deadlocks.
///
/// The lock is the system's own: the standard library's `Mutex` needs newer Apple systems than this package, Foundation's
/// `NSLock` needs all of Foundation on Linux, and the thread sanitizer does not know `Mutex` there.
///
/// Without `@usableFromInline` on the type, no other module inlines `withLock`; without `@inline(__always)`, generic
/// code looks up the type of the value at each call. Together, the two attributes halve the time of a read in
/// `ObservableDefaults`.
///
/// The unchecked conformance to `Sendable` is sound, since code accesses the value only while holding the lock.
@safe @usableFromInline package struct Guarded<Value>: @unchecked Sendable {
  @usableFromInline let storage: GuardedStorage<Value>

  package init(_ value: sending Value) {
    // Sound: `create` makes an object of the class that it is called on.
    unsafe storage = unsafeDowncast(
      GuardedStorage<Value>.create(minimumCapacity: 1) { _ in value }, to: GuardedStorage<Value>.self)
    storage.makeLock()
  }

  /// Calls `body` with the value.
  ///
  /// Values are copied out, but objects are not, and the compiler does not check for them: `body` must return only
  /// objects that threads can share.
  @inlinable @inline(__always) package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    storage.lock()
    defer { storage.unlock() }
    // Sound: the value is initialized, and no other thread accesses it meanwhile.
    return try unsafe storage.withUnsafeMutablePointerToHeader { (value) throws(Failure) in
      try unsafe body(&value.pointee)
    }
  }
}

/// A value and, in the same allocation, its lock; elements of a managed buffer keep their address.
@safe @usableFromInline final class GuardedStorage<Value>: ManagedBuffer<Value, SystemMutex> {
  fileprivate func makeLock() {
    // Sound: the buffer has room for one element, which nobody has initialized yet.
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
/// The unchecked conformance to `Sendable` is sound, since any thread can use a mutex of the system.
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
