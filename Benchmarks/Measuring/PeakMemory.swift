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

/// The operating system's figures for the memory of this process.
enum PeakMemory {
  /// The memory use of one contestant.
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

  /// Runs `body`, and returns the resident memory before it and the peak; nil if the system does not report them.
  ///
  /// The set-up needs more memory than the operation, so its freed memory must not count. Therefore that memory is
  /// returned to the system, and the system's peak mark is reset to the current resident memory.
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

  /// Makes the C library return free memory to the system, if it can.
  ///
  /// `malloc_trim` is specific to glibc and not visible to Swift, so it is looked up by name. The call is sound:
  /// `malloc_trim` accepts a size, returns a number, and is allowed to be called at any time.
  private static func releaseFreedMemory() {
    guard let function = unsafe dlsym(nil, "malloc_trim") else { return }
    let trim = unsafe unsafeBitCast(function, to: (@convention(c) (Int) -> Int32).self)
    _ = trim(0)
  }

  /// Returns the value of a line of `/proc/self/status`, in bytes.
  private static func status(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      // The line has the form "VmRSS:      12345 kB".
      return Int(line.filter(\.isNumber)).map { $0 * 1024 }
    }
    return nil
  }
}
