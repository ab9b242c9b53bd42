#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// How far the stack of a thread reaches, for what has to recurse and must not run out of it.
struct StackRoom {
  /// The lowest address of the stack, or 0 where the system does not tell.
  private let lowest: UInt

  /// The stack of the thread that this is called on; on Linux it takes some ten microseconds.
  init() {
    #if canImport(Darwin)
    let thread = pthread_self()
    let end = unsafe UInt(bitPattern: pthread_get_stackaddr_np(thread))
    let size = UInt(pthread_get_stacksize_np(thread))
    lowest = end > size ? end - size : 0
    #else
    lowest = Self.lowestAddress() ?? 0
    #endif
  }

  #if !canImport(Darwin)
  /// What `pthread_getattr_np` says of the thread, which is not declared for Swift.
  private static func lowestAddress() -> UInt? {
    typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt
    guard let symbol = unsafe dlsym(nil, "pthread_getattr_np") else { return nil }
    // Sound: the type is that of the function, wherever there is one of this name; it asks about the thread that runs,
    // and fills attributes that are destroyed again.
    let getAttributes = unsafe unsafeBitCast(symbol, to: GetAttributes.self)
    var attributes = pthread_attr_t()
    guard unsafe getAttributes(pthread_self(), &attributes) == 0 else { return nil }
    defer { _ = unsafe pthread_attr_destroy(&attributes) }
    var address: UnsafeMutableRawPointer?
    var size = 0
    guard unsafe pthread_attr_getstack(&attributes, &address, &size) == 0 else { return nil }
    return UInt(bitPattern: address)
  }
  #endif

  /// Whether at least `count` bytes of the stack are left; to be asked on its thread.
  @inline(never)
  func has(_ count: UInt) -> Bool {
    var marker: UInt8 = 0
    let here = unsafe withUnsafePointer(to: &marker) { UInt(bitPattern: $0) }
    return here < lowest || here - lowest >= count
  }
}
