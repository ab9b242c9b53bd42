import Foundation

/// A lock that writers of a reference hold while they compute new values; readers do not need the lock.
///
/// The unchecked conformance to `Sendable` is sound, since code uses the flag only while holding the lock. The lock is
/// recursive, so that a nested call is detected instead of causing a deadlock.
final class WriterTurn: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var isTaken = false

  /// The closure must not call `take` on the same object, directly or indirectly.
  func take<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    precondition(!isTaken, "the closure of withLock must not set the shared value that withLock is changing")
    isTaken = true
    defer { isTaken = false }
    return try body()
  }

  /// Returns nil if the current thread already holds the writer's turn.
  func takeUnlessTaken<Result>(_ body: () -> Result) -> Result? {
    lock.lock()
    defer { lock.unlock() }
    if isTaken { return nil }
    isTaken = true
    defer { isTaken = false }
    return body()
  }
}
