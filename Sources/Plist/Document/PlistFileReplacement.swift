#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A sink that replaces a file atomically.
///
/// ```swift
/// var writer = PlistEventWriter(to: try PlistFileReplacement(of: url), format: .binary)
/// while let event = try reader.next() { try writer.write(event) }
/// try writer.finish().commit()
/// ```
///
/// The bytes are written to a temporary file in the folder of the old file, and ``commit()`` replaces the old file with
/// the temporary file. If the sink is released before ``commit()``, for example after an error, the temporary file is
/// removed and the old file is unchanged. If the process is killed, the temporary file remains until the file is
/// replaced the next time.
///
/// If the URL is a symbolic link, the link remains, and the file that the link refers to is replaced. An existing file
/// keeps its permissions. If possible, an existing file also keeps its owner and its extended attributes. If the URL
/// refers to a pipe, a device or another special file, the bytes are written directly to the special file. A write to a
/// special file cannot be undone. If the URL stands for an open descriptor of the process, such as `/dev/stdout` or
/// `/dev/fd/3`, the bytes are written to the descriptor, even if its file is a regular file.
public final class PlistFileReplacement: PlistSink {
  private let path: String
  private let file: AtomicFile
  private var isCommitted = false

  /// Prepares to replace or create the file at `url`.
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

  /// Messages for the user about other hard links to the old file, and about extended attributes that the new file
  /// lacks.
  package var losses: [String] { file.losses }

  /// Writes bytes to the temporary file.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile`` if the bytes cannot be written.
  /// - Precondition: The method ``commit()`` must not have been called before.
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
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile`` if the file cannot be replaced. If an
  ///   error is thrown, the old file is unchanged.
  /// - Precondition: The method ``commit()`` must not have succeeded before.
  public func commit() throws(PlistError) {
    if let failure = commit(mustBeNew: false) { throw Self.failure(failure, path) }
  }

  /// Creates the destination file from the temporary file.
  ///
  /// - Returns: Whether the file was created; false if the file exists, even if another process has just created the
  ///   file.
  package func commitIfNew() throws(PlistError) -> Bool {
    guard let failure = commit(mustBeNew: true) else { return true }
    if failure.isFileThere { return false }
    throw Self.failure(failure, path)
  }

  private func commit(mustBeNew: Bool) -> SystemFailure? {
    precondition(!isCommitted, "commit was called twice; a file replacement can be committed only once")
    do throws(SystemFailure) { try file.commit(mustBeNew: mustBeNew) } catch { return error }
    isCommitted = true
    return nil
  }

  private static func failure(_ failure: SystemFailure, _ path: String) -> PlistError {
    PlistError(.unwritableFile, "cannot write \(path)", failure, file: path)
  }
}
