#if os(WASI)
import WASILibc

#if !_runtime(_multithreaded)
/// A mutex for a single-threaded program, which just detects a closure that would wait for itself.
@safe @usableFromInline struct SystemMutex {
  fileprivate var depth = 0
  fileprivate var isRecursive = false
}

// Sound: each pointer leads to an initialized mutex that isn't moved before `destroy`.
extension UnsafeMutablePointer<SystemMutex> {
  func make(isRecursive: Bool) { unsafe pointee.isRecursive = isRecursive }

  func lock() {
    unsafe precondition(pointee.depth == 0 || pointee.isRecursive, "the thread waits for a lock that it holds")
    unsafe pointee.depth += 1
  }

  func unlock() { unsafe pointee.depth -= 1 }

  func destroy() {}
}

/// A thread-local number, which is a plain variable on this platform.
///
/// `Sendable` is unchecked, but sound because there is only one thread.
final class ThreadVariable: @unchecked Sendable {
  var value: UInt = 0
}

/// The current thread.
package enum CurrentThread {
  package static var identifier: UInt { 1 }

  package static func sleep(microseconds: UInt32) { usleep(microseconds) }

  /// Registers a closure to be called when the process exits normally.
  package static func atExit(_ handler: @escaping @convention(c) () -> Void) { atexit(handler) }
}
#endif

extension StackGuard {
  static let isBoundAssumed = true

  /// Returns an assumed address, because the system doesn't report where the stack ends.
  ///
  /// The program's own data lies beyond the end. Swift 6.3 links programs with a stack of 128 KiB. We assume that 96
  /// KiB of it are free below the address at which a thread first checks its stack. Coders keep 64 KiB for a single
  /// value, which leaves 32 KiB for the values around it.
  @inline(never)
  static func lookUpLowestAddress(near here: UInt) -> UInt { here - min(here, 96 << 10) }
}
#endif
