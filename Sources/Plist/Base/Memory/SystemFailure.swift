#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#elseif os(Windows)
import CRT
#else
import Darwin
#endif

package struct SystemFailure: Error {
  /// The value of `errno`.
  let number: Int32
  /// The number of bytes that couldn't be allocated, if memory ran out.
  private let byteCount: Int?

  init(number: Int32, byteCount: Int? = nil) {
    self.number = number
    self.byteCount = byteCount
  }

  static var last: SystemFailure { SystemFailure(number: errno) }

  static func outOfMemory(_ byteCount: Int) -> SystemFailure { SystemFailure(number: ENOMEM, byteCount: byteCount) }

  static var fileThere: SystemFailure { SystemFailure(number: EEXIST) }

  static var notRegular: SystemFailure { SystemFailure(number: ENODEV) }

  package static var fileTooLarge: SystemFailure { SystemFailure(number: EFBIG) }

  var isOutOfMemory: Bool { number == ENOMEM }

  var isFileTooLarge: Bool { number == EFBIG }

  package var isNoSuchFile: Bool { number == ENOENT }

  package var isFileThere: Bool { number == EEXIST }

  package var isBrokenPipe: Bool { number == EPIPE }

  /// Whether a signal interrupted the call, which can then be retried.
  var isInterrupted: Bool { number == EINTR }

  /// Whether the call would have had to wait, for example for a lock.
  var isBusy: Bool { number == EAGAIN }

  var isNoPermission: Bool { number == EPERM || number == EACCES }

  var isNameTooLong: Bool { number == ENAMETOOLONG }

  var isDiskFull: Bool { number == ENOSPC }

  var isReadOnlyVolume: Bool { number == EROFS }

  package var message: String {
    if let byteCount { return "\(byteCount) bytes of memory cannot be allocated" }
    #if canImport(Darwin) || os(Windows)
    // On these systems, `strerror` may share one buffer between all threads.
    var text = [CChar](repeating: 0, count: 256)
    // Sound: the function writes at most `text.count` bytes, and only during the call.
    #if os(Windows)
    _ = unsafe strerror_s(&text, text.count, number)
    #else
    _ = unsafe strerror_r(number, &text, text.count)
    #endif
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
    // Sound: `strerror` returns a zero-terminated string that is constant or belongs to this thread, and it is copied
    // immediately.
    return unsafe String(cString: strerror(number))
    #endif
  }
}
