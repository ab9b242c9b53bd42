#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PlistStreamReader {
  /// Reads the next event, and calls `chunk` for each chunk it needs.
  ///
  /// ```swift
  /// var reader = PlistStreamReader()
  /// while let event = try reader.next(reading: { try file.read(upToCount: 65_536) }) { handle(event) }
  /// ```
  ///
  /// - Parameter chunk: Returns the next chunk, or nil or an empty one at the end of the input.
  /// - Returns: The next event, or nil at the end of the document.
  /// - Throws: ``PlistError`` at the first error in the document, and any error of `chunk`, after which you can call
  ///   this again.
  public mutating func next(reading chunk: () throws -> Data?) throws -> PlistEvent? {
    while true {
      if let event = try next() { return event }
      if isAtEnd || hasFailed { return nil }
      if let data = try chunk(), !data.isEmpty { feed(data) } else { finish() }
    }
  }

  /// Reads the next event from an open file, pipe or socket.
  ///
  /// ```swift
  /// while let event = try reader.next(readingFrom: .standardInput) { handle(event) }
  /// ```
  ///
  /// - Parameter fileDescriptor: The descriptor, which stays open. Each system call reads at most 64 KiB.
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

  /// Feeds up to 64 KiB from a descriptor, or ends the document if there is nothing more.
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
