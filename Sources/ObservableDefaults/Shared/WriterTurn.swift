import Foundation

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
