import Dispatch
import Foundation

/// A value that only one thread at a time can access.
///
/// Code that holds a `Guarded` lock is short, and calls neither a store nor a closure that a user of the library
/// provides. Code that holds a `Guarded` lock calls an observation registrar only to register an observation.
///
/// The unchecked conformance to `Sendable` is sound, since code accesses the variable only while holding the lock. The
/// lock is Foundation's `NSLock`, since the thread sanitizer does not support `Mutex` on Linux.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  /// The property has no exclusivity checks at run time, since the checks would take a fifth of the time for reading a
  /// cached value.
  ///
  /// Unchecked access is sound, since the lock excludes overlapping accesses. A closure that accesses a `Guarded` value
  /// while already holding the value's lock causes a deadlock.
  @exclusivity(unchecked) private var value: Value

  init(_ value: sending Value) { unsafe self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try unsafe body(&value)
  }
}

/// A lock that writers of a reference hold while they compute new values; readers do not need the lock.
///
/// The unchecked conformance to `Sendable` is sound, since code uses the variable `isTaken` only while holding the
/// lock. The lock is recursive, so that a nested call is detected instead of causing a deadlock.
final class WriterTurn: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var isTaken = false

  /// Runs `body` while holding the lock; `body` must not call `take` on the same object, directly or indirectly.
  func take<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    precondition(!isTaken, "the closure of withLock must not set the shared value that withLock is changing")
    isTaken = true
    defer { isTaken = false }
    return try body()
  }

  /// Runs `body` while holding the lock, or returns nil if the current thread already holds the lock.
  func takeUnlessTaken<Result>(_ body: () -> Result) -> Result? {
    lock.lock()
    defer { lock.unlock() }
    if isTaken { return nil }
    isTaken = true
    defer { isTaken = false }
    return body()
  }
}

/// Threads that wait until another thread has stored a value.
///
/// Unlike a condition's, the time limit does not follow the wall clock.
final class SavedSignal: Sendable {
  private let waiting = Guarded<[DispatchSemaphore]>([])

  /// Waits until `isDone` returns true, but at most a tenth of a second, and returns the last result of `isDone`.
  func wait(until isDone: () -> Bool) -> Bool {
    let end = DispatchTime.now() + .milliseconds(100)
    while true {
      // The semaphore is added before the check, so that no signal between the two is missed.
      let semaphore = DispatchSemaphore(value: 0)
      waiting.withLock { $0.append(semaphore) }
      if isDone() { return true }
      if semaphore.wait(timeout: end) == .timedOut { return isDone() }
    }
  }

  func broadcast() {
    let semaphores = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for semaphore in semaphores { semaphore.signal() }
  }
}
