#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A sink that replaces a file atomically.
///
/// ```swift
/// var writer = BinaryPlistWriter(to: try PlistFileReplacement(of: url))
/// while let event = try reader.next() { try writer.write(event) }
/// try writer.finish().commit()
/// ```
///
/// The bytes go to a temporary file in the same folder, and ``commit()`` replaces the old file with the temporary file.
/// If the sink is released before ``commit()``, for example after an error, the temporary file is removed and the old
/// file is unchanged. If the process is killed, the temporary file remains.
///
/// A symbolic link remains a link, and its target is replaced. An existing file keeps its permissions, its extended
/// attributes and, if the process is allowed to set it, its owner. If the path is a pipe, a device or another special
/// file, the bytes are written directly to this file. A write to a special file cannot be undone.
public final class PlistFileReplacement: PlistSink {
  private let path: String
  private let file: AtomicFile
  private var isCommitted = false

  /// Prepares to replace the file at `url`, or to create it.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile`` if no file can be written at `url`.
  public convenience init(of url: URL) throws(PlistError) {
    try self.init(path: PlistFile(url, to: "write").path)
  }

  package init(path: String) throws(PlistError) {
    self.path = path
    do {
      file = try AtomicFile(replacing: path)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// The losses of the replacement, in sentences: other hard links to the old file, and extended attributes that the
  /// new file lacks.
  package var losses: [String] { file.losses }

  /// Writes all the bytes to the temporary file.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile``.
  /// - Precondition: ``commit()`` has not been called.
  public func write(_ bytes: RawSpan) throws(PlistError) {
    precondition(!isCommitted, "write was called after commit; a file replacement accepts no bytes after commit")
    do {
      try file.write(bytes)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Replaces the old file with the temporary file, after the bytes have reached the disk.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile``. If an error is thrown, the old file is
  ///   unchanged.
  /// - Precondition: No earlier call of this method has succeeded.
  public func commit() throws(PlistError) {
    precondition(!isCommitted, "commit was called twice; a file replacement can be committed only once")
    do {
      try file.commit()
    } catch {
      throw Self.failure(error, path)
    }
    isCommitted = true
  }

  private static func failure(_ failure: SystemFailure, _ path: String) -> PlistError {
    PlistError(.unwritableFile, "cannot write \(path)", failure, file: path)
  }
}
