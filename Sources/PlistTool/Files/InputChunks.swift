#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

final class InputChunks {
  /// The number of bytes to read is nil if the number is not known in advance, as for a pipe.
  let size: Int?
  /// The number of bytes that have been returned.
  private(set) var count = 0
  private let file: FileDescriptor
  /// The chunks that were read ahead to find out whether the input is small; the first chunk is the last element.
  private var held: [Data] = []

  /// The number of bytes to read at a time; with this size, both the system calls and the memory cost little.
  private static let chunkSize = 1 << 18

  /// The error contains the system's reason, but not the file's name.
  init(_ input: InputFile) throws(PlistError) {
    file = try input.open()
    size = file.remainingCount
  }

  /// The caller must not have read any byte of the input before.
  func whole() throws(PlistError) -> Data {
    let file = file
    return try InputFile.reading { () throws(SystemFailure) in try file.contents(limit: .max) ?? Data() }
  }

  /// Returns nil if there are more than `limit` bytes; all bytes can then still be read by other methods.
  ///
  /// The caller must not have read any byte of the input before.
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

  /// Returns nil at the end of the input.
  func next() throws(PlistError) -> Data? {
    var next = held.popLast()
    if next == nil { next = try read() }
    guard let chunk = next else { return nil }
    count += chunk.count
    return chunk
  }

  /// The bytes are not consumed; the caller must not have read any byte of the input before.
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
