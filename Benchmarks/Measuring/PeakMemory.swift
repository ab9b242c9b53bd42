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
    /// The number of resident bytes before the operation, including the operation's input.
    let before: Int
    /// The maximum number of resident bytes during the operation.
    let peak: Int
    /// The number of property list bytes that the operation reads or writes.
    let bytes: Int
  }

  /// Measures the peak of resident memory, or returns nil if the system does not report resident memory.
  ///
  /// The set-up needs more memory than the operation, so the measurement must not count the freed memory of the set-up.
  /// Before it calls `body`, the function returns the freed memory to the system, and resets the system's peak to the
  /// current resident memory.
  static func measure(_ body: () throws -> Void) throws -> (before: Int, peak: Int)? {
    releaseFreedMemory()
    // According to the manual page proc(5), writing 5 to `clear_refs` resets the peak of the resident set size.
    guard let reset = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return nil }
    try reset.write(contentsOf: Data("5".utf8))
    try reset.close()
    guard let before = status("VmRSS") else { return nil }
    try body()
    guard let peak = status("VmHWM") else { return nil }
    return (before, peak)
  }

  /// Makes the C library return free memory to the system, if the library has the function `malloc_trim`.
  ///
  /// `malloc_trim` is specific to glibc and not visible to Swift, so the code looks up the function by name. The call
  /// of `malloc_trim` is sound, because the function accepts a size, returns a number, and can be called at any time.
  private static func releaseFreedMemory() {
    guard let function = unsafe dlsym(nil, "malloc_trim") else { return }
    let trim = unsafe unsafeBitCast(function, to: (@convention(c) (Int) -> Int32).self)
    _ = trim(0)
  }

  /// Returns the value of a line in `/proc/self/status`, in bytes.
  private static func status(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      return Int(line.filter(\.isNumber)).map { $0 * 1024 }
    }
    return nil
  }
}
