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
