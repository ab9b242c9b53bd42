import Foundation
import Testing

#if os(Linux)
/// Resets the peak to what is resident, by writing 5 to `clear_refs`; see proc(5).
func resetPeakMemory() throws {
  let handle = try FileHandle(forWritingTo: URL(filePath: "/proc/self/clear_refs"))
  try handle.write(contentsOf: Data("5".utf8))
  try handle.close()
}

/// Returns the most resident bytes since the last reset.
func peakMemory() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
  return try #require(Int(line.filter(\.isNumber))) * 1024
}
#endif
