#if !os(Windows) && (!os(WASI) || _runtime(_multithreaded))
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
import wasi_pthread
#else
import Darwin
#endif

/// A wrapper for the system's mutex that inlinable code can name.
@safe @usableFromInline struct SystemMutex {
  // Only glibc's mutex contains pointers, which make its initializer unsafe.
  #if canImport(Glibc)
  fileprivate var mutex = unsafe pthread_mutex_t()
  #else
  fileprivate var mutex = pthread_mutex_t()
  #endif
}

// The calls below are sound: each pointer leads to an initialized mutex that isn't moved before `destroy`. They can't
// fail if the mutex is valid and, when it is being unlocked, held by the calling thread.
extension UnsafeMutablePointer<SystemMutex> {
  /// Sound: a pointer to a structure is also a pointer to its first field.
  private var mutex: UnsafeMutablePointer<pthread_mutex_t> {
    unsafe UnsafeMutableRawPointer(self).assumingMemoryBound(to: pthread_mutex_t.self)
  }

  func make(isRecursive: Bool) {
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    if isRecursive { unsafe pthread_mutexattr_settype(&attributes, .init(PTHREAD_MUTEX_RECURSIVE)) }
    let failure = unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
    precondition(failure == 0, "the system cannot make a lock: error \(failure)")
  }

  func lock() { _ = unsafe pthread_mutex_lock(mutex) }

  func unlock() { _ = unsafe pthread_mutex_unlock(mutex) }

  func destroy() { _ = unsafe pthread_mutex_destroy(mutex) }
}

/// A thread-local number, initially 0.
///
/// It stays 0 if the system has run out of thread-local variables.
struct ThreadVariable: Sendable {
  private let key: pthread_key_t?

  init() {
    var key = pthread_key_t()
    // Sound: `key` outlives the call, and numbers need no destructor when a thread ends.
    self.key = unsafe pthread_key_create(&key, nil) == 0 ? key : nil
  }

  @inline(__always)
  var value: UInt {
    // Sound: what looks like a pointer is just a number, and nothing is read through it here.
    get {
      guard let key else { return 0 }
      return unsafe UInt(bitPattern: pthread_getspecific(key))
    }
    nonmutating set { if let key { _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) } }
  }
}

/// The current thread.
package enum CurrentThread {
  /// A nonzero number that identifies the current thread among all running threads.
  package static var identifier: UInt {
    #if canImport(Glibc) || canImport(Android)
    UInt(truncatingIfNeeded: pthread_self())
    #else
    unsafe UInt(bitPattern: pthread_self())
    #endif
  }

  package static func sleep(microseconds: UInt32) { usleep(microseconds) }

  /// Registers a closure to be called when the process exits normally.
  package static func atExit(_ handler: @escaping @convention(c) () -> Void) { atexit(handler) }
}

#if !os(WASI)
extension StackGuard {
  static let isBoundAssumed = false

  #if canImport(Darwin)
  @inline(never)
  static func lookUpLowestAddress(near here: UInt) -> UInt {
    let thread = pthread_self()
    let end = unsafe UInt(bitPattern: pthread_get_stackaddr_np(thread))
    let size = UInt(pthread_get_stacksize_np(thread))
    return end > size ? end - size : 1
  }
  #else
  /// Looks up the lowest address with `pthread_getattr_np`, which Swift does not import.
  @inline(never)
  static func lookUpLowestAddress(near here: UInt) -> UInt {
    typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt
    guard let symbol = unsafe dlsym(nil, "pthread_getattr_np") else { return 1 }
    // Sound: `pthread_getattr_np` always has the type `GetAttributes`. It initializes `attributes` for the current
    // thread, and `defer` destroys it.
    let getAttributes = unsafe unsafeBitCast(symbol, to: GetAttributes.self)
    var attributes = pthread_attr_t()
    guard unsafe getAttributes(pthread_self(), &attributes) == 0 else { return 1 }
    defer { _ = unsafe pthread_attr_destroy(&attributes) }
    var address: UnsafeMutableRawPointer?
    var size = 0
    guard unsafe pthread_attr_getstack(&attributes, &address, &size) == 0, size > 0 else { return 1 }
    return UInt(bitPattern: address)
  }
  #endif
}
#endif
#endif
