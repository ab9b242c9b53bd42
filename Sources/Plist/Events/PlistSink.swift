#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a writer's bytes go.
///
/// `Data` is a sink, ``PlistClosureSink`` hands the bytes to a closure, ``PlistFileSink`` writes them to an open file,
/// and ``PlistFileReplacement`` to a file that takes the place of another at the end.
public protocol PlistSink {
  /// Takes the next bytes of the document.
  ///
  /// - Parameter bytes: The bytes, valid during the call only.
  /// - Throws: Whatever keeps the bytes from being taken; the writer passes it on.
  mutating func write(_ bytes: RawSpan) throws
}

extension Data: PlistSink {
  /// Appends the bytes.
  public mutating func write(_ bytes: RawSpan) { append(copying: bytes) }
}

/// A sink that hands each run of bytes to a closure.
public struct PlistClosureSink: PlistSink {
  private let body: (Data) throws -> Void

  /// Creates a sink that calls `body` with each run of bytes, in order.
  public init(_ body: @escaping (Data) throws -> Void) { self.body = body }

  /// Calls the closure.
  public mutating func write(_ bytes: RawSpan) throws {
    var data = Data()
    data.append(copying: bytes)
    try body(data)
  }
}

/// A sink that writes to an open file, pipe or socket.
public struct PlistFileSink: PlistSink {
  private let file: FileDescriptor

  /// Creates a sink that writes to a file descriptor, which it neither closes nor flushes to the disk.
  public init(fileDescriptor: Int32) { file = FileDescriptor(borrowing: fileDescriptor) }

  /// Writes all the bytes.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile``.
  public mutating func write(_ bytes: RawSpan) throws {
    if let failure = file.write(bytes) {
      throw PlistError(code: .unwritableFile, message: "writing failed: \(failure.message)")
    }
  }
}
