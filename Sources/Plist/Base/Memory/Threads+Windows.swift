#if os(Windows)
import WinSDK
import CRT

/// A critical section if the lock is recursive, otherwise a slim lock, which a thread can't acquire twice.
@safe @usableFromInline struct SystemMutex {
  fileprivate var exclusive = unsafe SRWLOCK()
  fileprivate var section = unsafe CRITICAL_SECTION()
  fileprivate var isRecursive = false
}

// The calls below are sound: each pointer leads to an initialized mutex that isn't moved before `destroy`.
extension UnsafeMutablePointer<SystemMutex> {
  private var exclusive: UnsafeMutablePointer<SRWLOCK>? { unsafe pointer(to: \.exclusive) }

  private var section: UnsafeMutablePointer<CRITICAL_SECTION>? { unsafe pointer(to: \.section) }

  func make(isRecursive: Bool) {
    unsafe pointee.isRecursive = isRecursive
    if isRecursive { unsafe InitializeCriticalSection(section) } else { unsafe InitializeSRWLock(exclusive) }
  }

  func lock() {
    if unsafe pointee.isRecursive {
      unsafe EnterCriticalSection(section)
    } else {
      unsafe AcquireSRWLockExclusive(exclusive)
    }
  }

  func unlock() {
    if unsafe pointee.isRecursive {
      unsafe LeaveCriticalSection(section)
    } else {
      unsafe ReleaseSRWLockExclusive(exclusive)
    }
  }

  func destroy() { if unsafe pointee.isRecursive { unsafe DeleteCriticalSection(section) } }
}

/// A thread-local number, initially 0.
///
/// It stays 0 if the system has run out of thread-local variables.
struct ThreadVariable: Sendable {
  private let index = TlsAlloc()

  @inline(__always)
  var value: UInt {
    // Sound: what looks like a pointer is just a number, and nothing is read through it here. The system ignores an
    // invalid index.
    get { unsafe UInt(bitPattern: TlsGetValue(index)) }
    nonmutating set { _ = unsafe TlsSetValue(index, UnsafeMutableRawPointer(bitPattern: newValue)) }
  }
}

/// The current thread.
package enum CurrentThread {
  package static var identifier: UInt { UInt(GetCurrentThreadId()) }

  package static func sleep(microseconds: UInt32) { Sleep(max(1, microseconds / 1000)) }

  /// Registers a closure to be called when the process exits normally.
  package static func atExit(_ handler: @escaping @convention(c) () -> Void) { atexit(handler) }
}

extension StackGuard {
  static let isBoundAssumed = false

  @inline(never)
  static func lookUpLowestAddress(near here: UInt) -> UInt {
    var (lowest, highest): (ULONG_PTR, ULONG_PTR) = (0, 0)
    unsafe GetCurrentThreadStackLimits(&lowest, &highest)
    return UInt(lowest)
  }
}
#endif
