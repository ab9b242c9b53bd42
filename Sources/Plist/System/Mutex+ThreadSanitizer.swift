#if THREAD_SANITIZER
import Foundation

/// In builds for the thread sanitizer, this replaces the standard library's `Mutex`.
///
/// On Linux that type locks with a system call, which the sanitizer does not see. The sanitizer would report each value
/// that the lock protects as a race. It detects Foundation's lock.
///
/// The conformance is unchecked because of the variable. Sound: the variable is accessed only while the lock is held.
final class Mutex<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  /// Calls a closure with the value, which it may change.
  func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
#endif
