#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A sink that writes a file which takes the place of another whole, or not at all.
///
/// ```swift
/// var writer = BinaryPlistWriter(to: try PlistFileReplacement(of: url))
/// while let event = try reader.next() { try writer.write(event) }
/// try writer.finish().commit()
/// ```
///
/// The bytes go to a temporary file in the same folder until ``commit()`` puts it in place. Where the sink is dropped
/// without that, as when an error is thrown on the way, the temporary file is removed and the old file is as it was; a
/// process that is killed leaves the temporary file behind.
///
/// A symbolic link stays one, its target is replaced; a file that exists keeps its permissions and, where the process
/// may give files away, its owner. What is neither a file nor missing, such as a pipe or a device, is written to
/// directly: what it was given stays given.
public final class PlistFileReplacement: PlistSink {
  private let path: String
  private let file: AtomicFile
  private var isCommitted = false

  /// Prepares to replace the file at `url`, or to create it.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile`` where no file can be written there.
  public convenience init(of url: URL) throws(PlistError) {
    try self.init(path: PlistFile(url, to: "write").path)
  }

  /// Prepares to replace the file at `path`, or to create it.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile``.
  package init(path: String) throws(PlistError) {
    self.path = path
    do {
      file = try AtomicFile(replacing: path)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Writes all the bytes to the temporary file.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile``.
  /// - Precondition: ``commit()`` has not been called.
  public func write(_ bytes: RawSpan) throws(PlistError) {
    precondition(!isCommitted, "written to after it was put in place")
    do {
      try file.write(bytes)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Puts the file in its place, after its bytes have reached the disk.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile``; the old file is as it was then.
  /// - Precondition: It has not succeeded before.
  public func commit() throws(PlistError) {
    precondition(!isCommitted, "put in place twice")
    do {
      try file.commit()
    } catch {
      throw Self.failure(error, path)
    }
    isCommitted = true
  }

  private static func failure(_ failure: SystemFailure, _ path: String) -> PlistError {
    PlistError(code: .unwritableFile, message: "cannot write \(path): \(failure.message)")
  }
}
