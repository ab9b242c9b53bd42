#if THREAD_SANITIZER
import Foundation

/// A replacement of the standard library's `Mutex` in builds for the thread sanitizer.
///
/// On Linux, the standard library's `Mutex` locks with a system call, which the sanitizer does not detect. So the
/// sanitizer would report accesses to a protected value as races. This type uses Foundation's lock, which the sanitizer
/// detects.
///
/// The conformance to `Sendable` is unchecked, because the type has a variable. Sound: the variable is accessed only
/// while the lock is held.
package final class Mutex<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: sending Value) { self.value = value }

  package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
#endif
