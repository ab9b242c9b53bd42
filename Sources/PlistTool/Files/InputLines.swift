#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The lines of standard input.
///
/// Swift's `readLine` keeps all bytes of a line that never ends, until there is no more memory.
struct InputLines {
  private var pending = Data()
  /// The number of pending bytes in which there is no line end.
  private var searched = 0

  private static let longest = 1 << 20

  /// Returns the next line without its end, or nil at the end of the input.
  mutating func next() throws(PlistError) -> String? {
    while true {
      let rest = pending.dropFirst(searched)
      if let end = rest.firstIndex(of: 0x0A) {
        let line = pending[pending.startIndex..<end]
        pending = pending[(end + 1)...]
        searched = 0
        return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      }
      searched = pending.count
      guard searched <= Self.longest else {
        throw PlistError(code: .documentSizeLimit, message: "a line is longer than \(Self.longest) bytes")
      }
      let more = try InputFile.reading { () throws(SystemFailure) in
        try FileDescriptor.standardInput.readSome(upTo: 1 << 16)
      }
      guard !more.isEmpty else {
        defer { (pending, searched) = (Data(), 0) }
        return pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
      }
      pending = Data(pending) + more
    }
  }
}
#endif
