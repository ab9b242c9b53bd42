import Foundation

/// A value that only one thread at a time can access.
///
/// Code under the lock is short, and calls no store, no observation registrar, and no closure of a user.
///
/// Unchecked because it has a variable. Sound since the variable is accessed only while the lock is held. The lock is
/// Foundation's and not a `Mutex`, which the thread sanitizer does not support on Linux.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  /// Overlapping accesses are not checked at run time, since the lock excludes them; the check takes a fifth of a
  /// cached read.
  ///
  /// Sound: each access holds the lock. A closure that accesses the value again would wait forever.
  @exclusivity(unchecked) private var value: Value

  init(_ value: sending Value) { unsafe self.value = value }

  /// Calls a closure with the value, which it may change.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try unsafe body(&value)
  }
}
