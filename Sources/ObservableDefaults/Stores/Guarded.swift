import Foundation

/// A value that only one thread at a time can access.
///
/// Code that holds the lock is short, and calls no store and no closure of a user. Code that holds the lock calls an
/// observation registrar only to register an observation.
///
/// The conformance to `Sendable` is unchecked because the class has a variable. The unchecked conformance to `Sendable`
/// is sound, since the variable is accessed only while the lock is held. The lock is Foundation's `NSLock`, since the
/// thread sanitizer does not support `Mutex` on Linux.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  /// Exclusivity is not checked at run time, since the check would take a fifth of the time of a cached read.
  ///
  /// The unchecked access is sound, since the lock excludes overlapping accesses. A closure that accesses the value
  /// again would cause a deadlock.
  @exclusivity(unchecked) private var value: Value

  init(_ value: sending Value) { unsafe self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try unsafe body(&value)
  }
}
