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
    /// The most resident bytes during the operation.
    let peak: Int
    /// How many bytes of property lists the operation reads or writes.
    let bytes: Int
  }

  /// Measures peak resident memory, or returns nil if the system does not report it.
  ///
  /// The set-up needs more memory than the operation, so this first returns freed memory to the system, and resets the
  /// system's peak to what is still resident.
  static func measure(_ body: () throws -> Void) throws -> (before: Int, peak: Int)? {
    releaseFreedMemory()
    // Writing 5 resets the peak of the resident set size; see proc(5).
    guard let reset = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return nil }
    try reset.write(contentsOf: Data("5".utf8))
    try reset.close()
    guard let before = status("VmRSS") else { return nil }
    try body()
    guard let peak = status("VmHWM") else { return nil }
    return (before, peak)
  }

  /// Returns freed memory to the system, if the C library has `malloc_trim`.
  ///
  /// Only glibc has this function, and Swift doesn't import it, so it is looked up by name. The call is sound:
  /// `malloc_trim` takes a size, returns a number, and may be called at any time.
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
