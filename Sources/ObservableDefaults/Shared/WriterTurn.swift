import Foundation

/// A lock under which the writers of a reference compute their values one after the other; readers do not take it.
///
/// Unchecked because of the flag. Sound since it is used only while the lock is held. The lock is recursive, so that a
/// nested call is detected instead of waiting forever.
final class WriterTurn: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var isTaken = false

  /// Runs `body` alone.
  ///
  /// - Precondition: It is not called inside of itself.
  func take<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    precondition(!isTaken, "a shared value is changed while it is being changed by the same thread, in withLock")
    isTaken = true
    defer { isTaken = false }
    return try body()
  }

  /// Runs `body` alone, or returns nil if it is called inside of itself.
  func takeUnlessTaken<Result>(_ body: () -> Result) -> Result? {
    lock.lock()
    defer { lock.unlock() }
    if isTaken { return nil }
    isTaken = true
    defer { isTaken = false }
    return body()
  }
}
