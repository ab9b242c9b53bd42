import Foundation

/// Lets the writers of a reference compute their values one after the other, without keeping readers out.
///
/// Unchecked because of the flag: sound since it is touched only while the lock is held. The lock may be taken again by
/// the thread that holds it, to find that out rather than wait for ever.
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

  /// Runs `body` alone, or returns nil where that is called inside of itself.
  func takeUnlessTaken<Result>(_ body: () -> Result) -> Result? {
    lock.lock()
    defer { lock.unlock() }
    if isTaken { return nil }
    isTaken = true
    defer { isTaken = false }
    return body()
  }
}
