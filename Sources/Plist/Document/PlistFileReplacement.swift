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
/// The bytes go to a temporary file next to the old one, and ``commit()`` moves it into place. If the sink is released
/// without a commit, for example after an error, the temporary file is removed and the old file stays unchanged. If the
/// process is killed, the temporary file remains until the next time the file is replaced.
///
/// If the URL leads to a symbolic link, the link stays and its target is replaced. An existing file keeps its
/// permissions and, if possible, its owner and extended attributes. Pipes, devices and other special files are written
/// directly, which cannot be undone. If the URL names an open descriptor, such as `/dev/stdout` or `/dev/fd/3`, the
/// bytes go to that descriptor, even if it refers to a regular file.
///
/// On Windows, a new file inherits the access control list of its folder. A file that is marked read-only, or that
/// another program keeps open without sharing it, cannot be replaced.
public final class PlistFileReplacement: PlistSink {
  private let path: String
  private let file: AtomicFile
  private var isCommitted = false

  /// Prepares to replace or create the file at `url`.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile`` if no file can be written there.
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

  /// Messages for the user about other hard links to the old file and about extended attributes that the new file
  /// lacks.
  package var losses: [String] { file.losses }

  /// Writes bytes to the temporary file.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile`` if they cannot be written.
  /// - Precondition: ``commit()`` has not been called.
  public func write(_ bytes: RawSpan) throws(PlistError) {
    precondition(!isCommitted, "write was called after commit; a file replacement accepts no bytes after commit")
    do {
      try file.write(bytes)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// Replaces the old file once the bytes have reached the disk.
  ///
  /// - Throws: ``PlistError`` with the code ``PlistError/Code/unwritableFile`` if that fails; the old file is then
  ///   unchanged.
  /// - Precondition: ``commit()`` has not succeeded before.
  public func commit() throws(PlistError) {
    if let failure = commit(mustBeNew: false) { throw Self.failure(failure, path) }
  }

  /// Creates the file unless it already exists.
  ///
  /// - Returns: Whether the file was created; false even if another process has only just created it.
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
