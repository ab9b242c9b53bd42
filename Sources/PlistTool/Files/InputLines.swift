#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The lines of standard input or a file, or other records that end with a certain byte.
///
/// Swift's `readLine` would buffer an endless line until memory runs out.
struct InputLines {
  private let file: FileDescriptor
  private let end: UInt8
  private var pending = Data()
  /// How many of the pending bytes are known to contain no line end.
  private var searched = 0

  private static let longest = 1 << 20

  init(of file: FileDescriptor = .standardInput, endingWith end: UInt8 = 0x0A) {
    self.file = file
    self.end = end
  }

  /// Returns the next line without its LF or CR LF, or nil at the end of the input.
  mutating func next() throws(PlistError) -> String? {
    guard let line = try nextBytes() else { return nil }
    return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
  }

  /// Returns the bytes of the next line without the byte that ends it, or nil at the end of the input.
  mutating func nextBytes() throws(PlistError) -> Data? {
    while true {
      let length = pending.bytes.firstOffset(of: end, from: searched)
      if length < pending.count {
        defer {
          pending = pending.dropFirst(length + 1)
          searched = 0
        }
        return pending.prefix(length)
      }
      searched = pending.count
      guard searched <= Self.longest else {
        throw PlistError(code: .documentSizeLimit, message: "a line is longer than \(Self.longest) bytes")
      }
      let file = file
      let more = try InputFile.reading { () throws(SystemFailure) in try file.readSome(upTo: 1 << 16) }
      guard !more.isEmpty else {
        defer { (pending, searched) = (Data(), 0) }
        return pending.isEmpty ? nil : pending
      }
      pending = Data(pending) + more
    }
  }
}
#endif
