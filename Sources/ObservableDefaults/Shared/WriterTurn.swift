import Foundation

/// A lock that writers of a reference hold while they compute new values; readers do not need the lock.
///
/// The conformance to `Sendable` is unchecked because the class has a flag. The unchecked conformance to `Sendable` is
/// sound, since the flag is used only while the lock is held. The lock is recursive, so that a nested call is detected
/// instead of waiting forever.
final class WriterTurn: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var isTaken = false

  /// The closure must not call this method of the same object, directly or indirectly.
  func take<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    precondition(!isTaken, "the closure of withLock must not set the shared value that withLock is changing")
    isTaken = true
    defer { isTaken = false }
    return try body()
  }

  /// Returns nil if this thread already has the writer's turn.
  func takeUnlessTaken<Result>(_ body: () -> Result) -> Result? {
    lock.lock()
    defer { lock.unlock() }
    if isTaken { return nil }
    isTaken = true
    defer { isTaken = false }
    return body()
  }
}
