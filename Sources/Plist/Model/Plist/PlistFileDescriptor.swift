#if canImport(Darwin)
public import Foundation
#endif

/// A file descriptor, which is the system's number for an open file, pipe or socket.
///
/// ```swift
/// var writer = PlistEventWriter(to: PlistFileSink(fileDescriptor: .standardOutput), format: .xml)
/// try writer.write(.string("text"))
/// _ = try writer.finish()
/// ```
///
/// A `PlistFileDescriptor` does not own the descriptor: the value neither closes the descriptor nor keeps it open. A
/// `FileHandle` closes its descriptor when the handle is released, so keep the handle as long as the descriptor is
/// used:
///
/// ```swift
/// let handle = try FileHandle(forReadingFrom: url)
/// let descriptor = PlistFileDescriptor(rawValue: handle.fileDescriptor)
/// ```
public struct PlistFileDescriptor: RawRepresentable, Hashable, Sendable {
  /// The number of the descriptor.
  public let rawValue: Int32

  /// Creates a descriptor with a number, and does not check whether the number belongs to an open file.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  #if canImport(Darwin)
  /// Creates the descriptor of a file handle; keep the handle alive as long as the descriptor is used.
  ///
  /// On Linux, use ``init(rawValue:)``, because `FileHandle` is in a library that this package does not link.
  public init(_ handle: FileHandle) { self.init(rawValue: handle.fileDescriptor) }
  #endif

  /// The standard input of the process.
  public static let standardInput = PlistFileDescriptor(rawValue: 0)
  /// The standard output of the process.
  public static let standardOutput = PlistFileDescriptor(rawValue: 1)
  /// The standard error output of the process.
  public static let standardError = PlistFileDescriptor(rawValue: 2)
}
