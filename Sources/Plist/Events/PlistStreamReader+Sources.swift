#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PlistStreamReader {
  /// Returns the next event, calling `chunk` for each chunk it needs.
  ///
  /// ```swift
  /// var reader = PlistStreamReader()
  /// while let event = try reader.next(reading: { try file.read(upToCount: 65_536) }) { handle(event) }
  /// ```
  ///
  /// - Parameter chunk: A closure that returns the next chunk, or nil or an empty chunk at the end of the input.
  /// - Returns: The next event, or nil at the end of the document.
  /// - Throws: ``PlistError`` at the first error in the document, and any error that `chunk` throws, after which you
  ///   can call this method again.
  public mutating func next(reading chunk: () throws -> Data?) throws -> PlistEvent? {
    while true {
      if let event = try next() { return event }
      if isAtEnd || hasFailed { return nil }
      if let data = try chunk(), !data.isEmpty { feed(data) } else { finish() }
    }
  }

  /// Returns the next event, reading from an open file, pipe or socket.
  ///
  /// ```swift
  /// while let event = try reader.next(readingFrom: .standardInput) { handle(event) }
  /// ```
  ///
  /// - Parameter fileDescriptor: The file descriptor, which stays open. Each system call reads at most 64 KiB.
  /// - Returns: The next event, or nil at the end of the document.
  /// - Throws: ``PlistError`` at the first error in the document, or with the code ``PlistError/Code/unreadableFile``
  ///   if the descriptor cannot be read.
  public mutating func next(readingFrom fileDescriptor: PlistFileDescriptor) throws(PlistError) -> PlistEvent? {
    while true {
      if let event = try next() { return event }
      if isAtEnd || hasFailed { return nil }
      try feed(from: FileDescriptor(borrowing: fileDescriptor.rawValue))
    }
  }

  /// Feeds up to 64 KiB from a file descriptor, or ends the document if there are no more bytes.
  mutating func feed(from file: FileDescriptor) throws(PlistError) {
    let chunk: Data
    do throws(SystemFailure) {
      chunk = try file.readSome(upTo: StreamInput.pieceSize)
    } catch {
      throw PlistError(.unreadableFile, "cannot read the document", error)
    }
    if chunk.isEmpty { finish() } else { feed(chunk) }
  }
}
