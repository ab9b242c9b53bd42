#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// A check of the free space on a thread's stack, for code whose recursion depth depends on its input.
///
/// Coders call the `Codable` implementations of a program's types, and these implementations can call coders again.
/// Neither the stack space for one value nor the depth of the recursion is known in advance. Before each value, coders
/// check the stack, and throw an error if too little stack space is left.
///
/// Looking up the bounds of a stack takes about ten microseconds on Linux. Each thread looks up the bounds of its stack
/// only once, so a later check takes a few nanoseconds.
enum StackGuard {
  /// Returns whether at least `count` bytes of the current thread's stack are left.
  ///
  /// If the system does not report the bounds of the stack, the result is true. If the function does not run on the
  /// thread's own stack, the result is also true.
  @inline(never)
  static func has(_ count: UInt) -> Bool {
    var marker: UInt8 = 0
    // The unsafe code is sound: only the address is used; no memory is read at this address.
    let here = unsafe withUnsafePointer(to: &marker) { UInt(bitPattern: $0) }
    let lowest = lowestAddress
    return here < lowest || here - lowest >= count
  }

  /// The lowest address of the current thread's stack, or 1 if the system does not report the address.
  private static var lowestAddress: UInt {
    guard let key else { return 1 }
    // The unsafe code is sound: the thread-specific value is used only as a number, not as a pointer.
    if let stored = unsafe pthread_getspecific(key) { return UInt(bitPattern: stored) }
    let lowest = max(lookUpLowestAddress(), 1)
    _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: lowest))
    return lowest
  }

  /// The identifier of a thread-specific variable for the lowest address of the stack; nil if the system cannot create
  /// the variable.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    // The unsafe code is sound: the variable `key` outlives the call, and the stored numbers need no destructor when a
    // thread ends.
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
  /// Looks up the lowest address of the stack with `pthread_getattr_np`, which is not declared for Swift.
  private static func lookUpLowestAddress() -> UInt {
    typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt
    guard let symbol = unsafe dlsym(nil, "pthread_getattr_np") else { return 1 }
    // The unsafe code is sound: the function `pthread_getattr_np` always has the type `GetAttributes`. The function
    // `pthread_getattr_np` initializes `attributes` for the current thread, and the `defer` statement destroys
    // `attributes`.
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
