import Foundation

/// A value that one thread at a time accesses.
///
/// The code that runs inside is short, and calls no store, no registrar, and no closure of a user.
///
/// Unchecked because of the variable: sound since it is touched only while the lock is held. The lock is Foundation's
/// rather than `Mutex`, which the thread sanitizer does not see on Linux.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  /// Not checked for overlapping accesses, because the lock excludes them: the check takes a fifth of a cached read.
  ///
  /// Sound: each access holds the lock. A closure that accesses the value again would wait forever instead.
  @exclusivity(unchecked) private var value: Value

  init(_ value: sending Value) { unsafe self.value = value }

  /// Calls a closure with the value, which it may change.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try unsafe body(&value)
  }
}
