import Dispatch
import Plist

/// A lock that writers of a reference hold while they compute new values; readers do not need the lock.
///
/// The unchecked conformance to `Sendable` is sound, since code uses the variable `isTaken` only while holding the
/// lock. The lock is recursive, so that a nested call is detected instead of causing a deadlock.
final class WriterTurn: @unchecked Sendable {
  private let lock = Lock(isRecursive: true)
  private var isTaken = false

  /// Runs `body` while holding the lock; `body` must not call `take` on the same object, directly or indirectly.
  func take<Result>(_ body: () throws -> Result) rethrows -> Result {
    try lock.withLock {
      precondition(!isTaken, "the closure of withLock must not set the shared value that withLock is changing")
      isTaken = true
      defer { isTaken = false }
      return try body()
    }
  }

  /// Runs `body` while holding the lock, or returns nil if the current thread already holds the lock.
  func takeUnlessTaken<Result>(_ body: () -> Result) -> Result? {
    lock.withLock {
      if isTaken { return nil }
      isTaken = true
      defer { isTaken = false }
      return body()
    }
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
