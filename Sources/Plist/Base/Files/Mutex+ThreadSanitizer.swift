#if THREAD_SANITIZER
import Foundation

/// Replaces the standard library's `Mutex` in builds for the thread sanitizer.
///
/// On Linux, that one locks with a system call which the sanitizer does not see, so it would report each protected
/// access as a race. `NSLock` it does see.
///
/// Unchecked, because there is a mutable stored property; sound, because that is accessed only while the lock is held.
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
