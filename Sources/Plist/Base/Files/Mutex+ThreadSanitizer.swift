#if THREAD_SANITIZER
import Foundation

/// A replacement for the standard library's `Mutex` in builds for the thread sanitizer.
///
/// On Linux, the standard library's `Mutex` locks with a system call, which the sanitizer does not detect. With the
/// standard library's `Mutex`, the thread sanitizer would report accesses to a protected value as data races. The
/// replacement for `Mutex` uses Foundation's `NSLock`, which the thread sanitizer detects.
///
/// The conformance of `Mutex` to `Sendable` is unchecked, because the type has a mutable stored property. The unchecked
/// conformance is sound, because code accesses the protected value only while the lock is held.
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
