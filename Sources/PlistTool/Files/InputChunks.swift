#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

final class InputChunks {
  /// The number of bytes to read, or nil if it is not known in advance, as for a pipe.
  let size: Int?
  /// The number of bytes returned so far.
  private(set) var count = 0
  private let file: FileDescriptor
  /// The chunks read ahead, in reverse order.
  private var held: [Data] = []

  /// The size of a chunk in bytes, a compromise between system calls and memory.
  private static let chunkSize = 1 << 18

  convenience init(_ input: InputFile) throws(PlistError) { self.init(of: try input.open()) }

  init(of file: FileDescriptor) {
    self.file = file
    size = file.remainingCount
  }

  /// Reads the whole input, of which nothing may have been read before.
  private func whole() throws(PlistError) -> InputFile.Bytes {
    try InputFile.Bytes(InputFile.contents(of: file))
  }

  /// Reads the whole input, or returns nil if it has more than `limit` bytes.
  ///
  /// Nothing may have been read before. If the result is nil, all bytes can still be read in chunks.
  func whole(upTo limit: Int) throws(PlistError) -> InputFile.Bytes? {
    if limit == .max { return try whole() }
    if let size, size <= limit { return try whole() }
    if let size, size > PlistLimits().readByteCount, PlistFormat(detecting: try peek(64)) == nil {
      // This can be a sparse file; other commands reject it too.
      throw InputFile.tooLarge
    }
    if size != nil { return SignedMessage.begins(try peek(64)) ? try rest() : nil }
    var chunks: [Data] = []
    var total = 0
    while let chunk = try read() {
      chunks.append(chunk)
      total += chunk.count
      if total > PlistLimits().readByteCount, SignedMessage.begins(chunks[0]) { throw InputFile.tooLarge }
      guard total <= limit || SignedMessage.begins(chunks[0]) else {
        held = chunks.reversed()
        return nil
      }
    }
    return try Self.joined(chunks, total)
  }

  /// Reads all that is left.
  private func rest() throws(PlistError) -> InputFile.Bytes {
    var chunks: [Data] = []
    var total = 0
    while let chunk = try next() {
      chunks.append(chunk)
      total += chunk.count
      guard total <= PlistLimits().readByteCount else { throw InputFile.tooLarge }
    }
    return try Self.joined(chunks, total)
  }

  private static func joined(_ chunks: [Data], _ total: Int) throws(PlistError) -> InputFile.Bytes {
    var data = Data(capacity: total)
    for chunk in chunks { data.append(chunk) }
    return try InputFile.Bytes(data)
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
