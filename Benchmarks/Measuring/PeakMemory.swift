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

/// What the operating system says about the memory of this process.
enum PeakMemory {
  /// What one contestant used.
  struct Figure: Codable {
    let set: String
    let operation: String
    let contestant: String
    /// The resident bytes before the operation, its input among them.
    let before: Int
    /// The most resident bytes during the operation.
    let peak: Int
    /// The bytes of property list that are read or written.
    let bytes: Int
  }

  /// Runs `body`, and returns the resident memory before and at most; nil if the system does not report it.
  ///
  /// The set-up before needs more memory than the operation. So what it has freed is given back, and the system's mark
  /// is set back to what is resident now.
  static func measure(_ body: () throws -> Void) throws -> (before: Int, peak: Int)? {
    releaseFreedMemory()
    // As proc(5) has it, 5 resets the peak resident set size.
    guard let reset = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return nil }
    try reset.write(contentsOf: Data("5".utf8))
    try reset.close()
    guard let before = status("VmRSS") else { return nil }
    try body()
    guard let peak = status("VmHWM") else { return nil }
    return (before, peak)
  }

  /// Has the C library give back to the system what is free, where it can.
  ///
  /// `malloc_trim` is glibc's own and not in Swift's view of it, so that it is looked up by name. Sound: it takes a
  /// size, returns a number, and may be called at any time.
  private static func releaseFreedMemory() {
    guard let function = unsafe dlsym(nil, "malloc_trim") else { return }
    let trim = unsafe unsafeBitCast(function, to: (@convention(c) (Int) -> Int32).self)
    _ = trim(0)
  }

  /// A line of `/proc/self/status`, in bytes.
  private static func status(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix("\(name):") {
      // "VmRSS:	   12345 kB"
      return Int(line.filter(\.isNumber)).map { $0 * 1024 }
    }
    return nil
  }
}
