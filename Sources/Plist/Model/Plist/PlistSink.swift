#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A destination for a writer's bytes.
///
/// `Data` is a sink, ``PlistClosureSink`` calls a closure, ``PlistFileSink`` writes to an open file, and
/// ``PlistFileReplacement`` writes a new file that replaces the old one at ``PlistFileReplacement/commit()``. You can
/// also write your own sink:
///
/// ```swift
/// struct ByteCounter: PlistSink {
///   var count = 0
///   mutating func write(_ bytes: RawSpan) { count += bytes.byteCount }
/// }
///
/// var writer = PlistEventWriter(to: ByteCounter(), format: .xml)
/// try writer.write(list)
/// let size = try writer.finish().count
/// ```
public protocol PlistSink {
  /// Writes the next bytes of the document.
  ///
  /// - Parameter bytes: The bytes, valid only during the call.
  /// - Throws: Any error; the writer rethrows it.
  mutating func write(_ bytes: RawSpan) throws
}

/// A sink as a closure, so that the format writers do not have to be generic over the sink's type.
typealias ByteSink = (RawSpan) throws -> Void

extension Data: PlistSink {
  /// Appends `bytes` to the data.
  public mutating func write(_ bytes: RawSpan) { append(copying: bytes) }
}

/// A sink that passes each chunk of bytes to a closure.
///
/// ```swift
/// var writer = PlistEventWriter(to: PlistClosureSink { chunk in try socket.send(chunk) }, format: .xml)
/// try writer.write(list)
/// _ = try writer.finish()
/// ```
public struct PlistClosureSink: PlistSink {
  private let body: (Data) throws -> Void

  /// Creates a sink that calls `body` with each chunk, in order.
  public init(_ body: @escaping (Data) throws -> Void) { self.body = body }

  /// Calls the closure with a copy of `bytes`.
  public mutating func write(_ bytes: RawSpan) throws {
    var data = Data()
    data.append(copying: bytes)
    try body(data)
  }
}

/// A sink that writes to an open file, pipe or socket.
///
/// ```swift
/// let file = try FileHandle(forWritingTo: url)
/// let descriptor = PlistFileDescriptor(rawValue: file.fileDescriptor)
/// var writer = PlistEventWriter(to: PlistFileSink(fileDescriptor: descriptor), format: .binary)
/// try writer.write(list)
/// _ = try writer.finish()
/// try file.close()
/// ```
public struct PlistFileSink: PlistSink {
  private let file: FileDescriptor

  /// Creates a sink that writes to a descriptor, and neither closes it nor synchronizes the file to disk.
  public init(fileDescriptor: PlistFileDescriptor) { file = FileDescriptor(borrowing: fileDescriptor.rawValue) }

  /// Writes `bytes` to the descriptor.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile``.
  public mutating func write(_ bytes: RawSpan) throws(PlistError) {
    if let failure = file.write(bytes) {
      throw PlistError(.unwritableFile, "cannot write the document", failure)
    }
  }
}
