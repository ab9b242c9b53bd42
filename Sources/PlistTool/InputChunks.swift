#if CommandLineTool
import Foundation
import Plist

/// The bytes of a file or of standard input, as they are read.
final class InputChunks {
  /// How many bytes there are to read, where that is known before: of a file, not of a pipe.
  let size: Int?
  /// How many bytes have been handed out.
  private(set) var count = 0
  private let handle: FileHandle
  /// What was read to see whether it is all; the first chunk is the last element.
  private var held: [Data] = []

  /// How many bytes are read at a time: system calls cost nothing any more, and memory does not yet.
  private static let chunkSize = 1 << 18

  /// Opens the file.
  ///
  /// - Throws: `PlistError` with the system's reason, without the name.
  init(_ file: InputFile) throws(PlistError) {
    let handle = try Self.reading { () throws in
      try file.path.map { try FileHandle(forReadingFrom: URL(exactPath: $0)) } ?? .standardInput
    }
    self.handle = handle
    size = Self.size(of: handle)
  }

  /// All the bytes, where none have been read.
  func whole() throws(PlistError) -> Data {
    try Self.reading { () throws in try handle.readToEnd() ?? Data() }
  }

  /// All the bytes, where none have been read, or nil where there are more than `limit`; they are still to be read then.
  func whole(upTo limit: Int) throws(PlistError) -> Data? {
    if limit == .max { return try whole() }
    if let size { return size <= limit ? try whole() : nil }
    var chunks: [Data] = []
    var total = 0
    while let chunk = try read() {
      chunks.append(chunk)
      total += chunk.count
      guard total <= limit else {
        held = chunks.reversed()
        return nil
      }
    }
    var data = Data(capacity: total)
    for chunk in chunks { data.append(chunk) }
    return data
  }

  /// The next bytes, or nil at the end.
  func next() throws(PlistError) -> Data? {
    var next = held.popLast()
    if next == nil { next = try read() }
    guard let chunk = next else { return nil }
    count += chunk.count
    return chunk
  }

  /// The first bytes, where none have been taken, of a file; they are still to be read.
  func peek(_ length: Int) throws(PlistError) -> Data {
    if held.isEmpty, let chunk = try read() { held.append(chunk) }
    return held.last?.prefix(length) ?? Data()
  }

  private func read() throws(PlistError) -> Data? {
    let chunk = try Self.reading { () throws in try handle.read(upToCount: Self.chunkSize) }
    return chunk.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// How far the end is from here, where there is an end to go to: a pipe and a terminal have none.
  private static func size(of handle: FileHandle) -> Int? {
    guard let start = try? handle.offset(), let end = try? handle.seekToEnd() else { return nil }
    // Back at once; had this failed, the one before would have.
    guard (try? handle.seek(toOffset: start)) != nil else { return nil }
    return Int(clamping: end) - min(Int(clamping: start), Int(clamping: end))
  }

  private static func reading<Result>(_ body: () throws -> Result) throws(PlistError) -> Result {
    do {
      return try body()
    } catch {
      throw PlistError(code: .unreadableFile, message: Diagnostics.reason(for: error))
    }
  }
}
#endif
