import Foundation
import Testing

#if os(Linux)
/// As proc(5) describes, writing 5 to `clear_refs` sets the peak memory to the current resident memory.
func resetPeakMemory() throws {
  let handle = try FileHandle(forWritingTo: URL(filePath: "/proc/self/clear_refs"))
  try handle.write(contentsOf: Data("5".utf8))
  try handle.close()
}

/// The peak memory is the greatest number of resident bytes since the last reset.
func peakMemory() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
  return try #require(Int(line.filter(\.isNumber))) * 1024
}
#endif
