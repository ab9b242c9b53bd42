#if os(WASI)
import WASILibc

#if !_runtime(_multithreaded)
/// A mutex for a single thread: it only detects a closure that would wait for itself.
@safe @usableFromInline struct SystemMutex {
  fileprivate var depth = 0
  fileprivate var isRecursive = false
}

// Sound: each pointer leads to an initialized mutex, which stays where it is until `destroy`.
extension UnsafeMutablePointer<SystemMutex> {
  func make(isRecursive: Bool) { unsafe pointee.isRecursive = isRecursive }

  func lock() {
    unsafe precondition(pointee.depth == 0 || pointee.isRecursive, "the thread waits for a lock that it holds")
    unsafe pointee.depth += 1
  }

  func unlock() { unsafe pointee.depth -= 1 }

  func destroy() {}
}

/// A thread-local number, which is a plain variable here.
///
/// `Sendable` is unchecked, and sound because there is one thread.
final class ThreadVariable: @unchecked Sendable {
  var value: UInt = 0
}

/// The thread that runs the code.
package enum CurrentThread {
  package static var identifier: UInt { 1 }

  package static func sleep(microseconds: UInt32) { usleep(microseconds) }

  /// Calls a closure when the process ends normally.
  package static func atExit(_ handler: @escaping @convention(c) () -> Void) { atexit(handler) }
}
#endif

extension StackGuard {
  static let isBoundAssumed = true

  /// The system does not report where the stack ends, and the program's own data are beyond its end.
  ///
  /// Swift 6.3 links programs with a stack of 128 KiB. We assume that 96 KiB are free below the address at which a
  /// thread first asks. Coders keep 64 of them for a single value, which leaves 32 for the values around it.
  @inline(never)
  static func lookUpLowestAddress(near here: UInt) -> UInt { here - min(here, 96 << 10) }
}
#endif
