import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

enum PeakMemory {
  struct Figure: Codable {
    let set: String
    let operation: String
    let contestant: String
    /// The resident bytes before the operation, including its input.
    let before: Int
    /// The greatest number of resident bytes during the operation.
    let peak: Int
    /// The number of bytes of property lists that are read or written.
    let bytes: Int
  }

  /// Returns nil if the system does not report the resident memory.
  ///
  /// The set-up needs more memory than the operation, so the freed memory of the set-up must not count. The freed
  /// memory is therefore returned to the system, and the system's peak is reset to the current resident memory.
  static func measure(_ body: () throws -> Void) throws -> (before: Int, peak: Int)? {
    releaseFreedMemory()
    // According to proc(5), writing 5 resets the peak resident set size.
    guard let reset = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return nil }
    try reset.write(contentsOf: Data("5".utf8))
    try reset.close()
    guard let before = status("VmRSS") else { return nil }
    try body()
    guard let peak = status("VmHWM") else { return nil }
    return (before, peak)
  }

  /// Makes the C library return free memory to the system, if the library can.
  ///
  /// `malloc_trim` is specific to glibc and not visible to Swift, so the function is looked up by name. The call is
  /// sound: `malloc_trim` accepts a size, returns a number, and is allowed to be called at any time.
  private static func releaseFreedMemory() {
    guard let function = unsafe dlsym(nil, "malloc_trim") else { return }
    let trim = unsafe unsafeBitCast(function, to: (@convention(c) (Int) -> Int32).self)
    _ = trim(0)
  }

  /// The value of a line of `/proc/self/status` is converted to bytes.
  private static func status(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      // The line has the form "VmRSS:      12345 kB".
      return Int(line.filter(\.isNumber)).map { $0 * 1024 }
    }
    return nil
  }
}
