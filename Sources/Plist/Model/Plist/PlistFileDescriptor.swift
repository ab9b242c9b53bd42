#if canImport(Darwin)
public import Foundation
#endif

/// A file descriptor: the number that the system, or the C runtime on Windows, uses for an open file, pipe or socket.
///
/// ```swift
/// var writer = PlistEventWriter(to: PlistFileSink(fileDescriptor: .standardOutput), format: .xml)
/// try writer.write(.string("text"))
/// _ = try writer.finish()
/// ```
///
/// This type does not own the descriptor: it neither closes it nor keeps it open. A `FileHandle` closes its descriptor
/// when it is released, so keep the handle as long as you use the descriptor:
///
/// ```swift
/// let handle = try FileHandle(forReadingFrom: url)
/// let descriptor = PlistFileDescriptor(rawValue: handle.fileDescriptor)
/// ```
public struct PlistFileDescriptor: RawRepresentable, Hashable, Sendable {
  /// The descriptor's number.
  public let rawValue: Int32

  /// Creates a descriptor, without checking that it is open.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  #if canImport(Darwin)
  /// Creates a descriptor from a file handle, which must stay alive as long as the descriptor is used.
  ///
  /// On Linux, use ``init(rawValue:)``, because `FileHandle` is in a library that this package does not link.
  public init(_ handle: FileHandle) { self.init(rawValue: handle.fileDescriptor) }
  #endif

  /// The standard input of the process.
  public static let standardInput = PlistFileDescriptor(rawValue: 0)
  /// The standard output of the process.
  public static let standardOutput = PlistFileDescriptor(rawValue: 1)
  /// The standard error of the process.
  public static let standardError = PlistFileDescriptor(rawValue: 2)
}
