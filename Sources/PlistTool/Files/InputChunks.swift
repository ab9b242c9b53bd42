#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

final class InputChunks {
  /// The number of bytes to read, or nil if the number is not known in advance, as for a pipe.
  let size: Int?
  /// The number of bytes that the reader has returned.
  private(set) var count = 0
  private let file: FileDescriptor
  /// The chunks that were read ahead, in reverse order.
  private var held: [Data] = []

  /// The size of a chunk in bytes, a compromise between the number of system calls and memory use.
  private static let chunkSize = 1 << 18

  init(_ input: InputFile) throws(PlistError) {
    file = try input.open()
    size = file.remainingCount
  }

  /// Reads the whole input; the caller must not have read any bytes before.
  func whole() throws(PlistError) -> Data {
    try InputFile.contents(of: file)
  }

  /// Reads the whole input, or returns nil if the input has more than `limit` bytes.
  ///
  /// After a nil result, other methods can still read all bytes. The caller must not have read any bytes before.
  func whole(upTo limit: Int) throws(PlistError) -> Data? {
    if limit == .max { return try whole() }
    if let size, size <= limit { return try whole() }
    if let size, size > PlistLimits().maximumByteCount, PlistFormat(detecting: try peek(64)) == nil {
      // A sparse file, for example, is refused as by the other commands.
      throw InputFile.tooLarge
    }
    if size != nil { return nil }
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

  /// Returns the next chunk, or nil at the end of the input.
  func next() throws(PlistError) -> Data? {
    var next = held.popLast()
    if next == nil { next = try read() }
    guard let chunk = next else { return nil }
    count += chunk.count
    return chunk
  }

  /// Returns the first bytes of the input without consuming them.
  func peek(_ length: Int) throws(PlistError) -> Data {
    if held.isEmpty, let chunk = try read() { held.append(chunk) }
    return held.last?.prefix(length) ?? Data()
  }

  private func read() throws(PlistError) -> Data? {
    let file = file
    let chunk = try InputFile.reading { () throws(SystemFailure) in try file.readSome(upTo: Self.chunkSize) }
    return chunk.isEmpty ? nil : chunk
  }
}
#endif
