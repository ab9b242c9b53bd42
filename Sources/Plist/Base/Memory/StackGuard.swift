#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// Checks the free space on a thread's stack, for recursion whose depth depends on the input.
///
/// Coders call a program's `Codable` implementations, which can call coders again, so neither the stack for one value
/// nor the depth is known. Before each value, coders check the stack, and throw if too little is left.
///
/// On Linux, looking up the bounds of a stack takes about ten microseconds. Each thread does so only once; a later
/// check takes a few nanoseconds.
enum StackGuard {
  /// Whether at least `count` bytes of the current thread's stack are left.
  ///
  /// Also true if the system does not report the bounds, or this is not the thread's own stack.
  @inline(never)
  static func has(_ count: UInt) -> Bool {
    var marker: UInt8 = 0
    // Sound: only the address is used; nothing is read there.
    let here = unsafe withUnsafePointer(to: &marker) { UInt(bitPattern: $0) }
    let lowest = lowestAddress
    return here < lowest || here - lowest >= count
  }

  /// The lowest address of the current thread's stack, or 1 if the system does not report it.
  private static var lowestAddress: UInt {
    guard let key else { return 1 }
    // Sound: the thread-specific value is used as a number, not as a pointer.
    if let stored = unsafe pthread_getspecific(key) { return UInt(bitPattern: stored) }
    let lowest = max(lookUpLowestAddress(), 1)
    _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: lowest))
    return lowest
  }

  /// A thread-specific variable for the lowest address; nil if the system cannot create it.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    // Sound: `key` outlives the call, and the stored numbers need no destructor when a thread ends.
    return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  #if canImport(Darwin)
  private static func lookUpLowestAddress() -> UInt {
    let thread = pthread_self()
    let end = unsafe UInt(bitPattern: pthread_get_stackaddr_np(thread))
    let size = UInt(pthread_get_stacksize_np(thread))
    return end > size ? end - size : 1
  }
  #else
  /// Looks up the lowest address with `pthread_getattr_np`, which is not declared for Swift.
  private static func lookUpLowestAddress() -> UInt {
    typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt
    guard let symbol = unsafe dlsym(nil, "pthread_getattr_np") else { return 1 }
    // Sound: `pthread_getattr_np` always has the type `GetAttributes`. It initializes `attributes` for the current
    // thread, and `defer` destroys them.
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
