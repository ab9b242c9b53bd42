#if CommandLineTool
import Plist

/// The lock that in-place edits acquire; `PropertyListFileStore` acquires the same lock, so no edit is lost.
enum EditLock {
  /// Waits for the lock of the file at `path`, and holds the lock until the result is released.
  ///
  /// - Returns: The lock. The lock is nil for a file that is not regular, since such a file is not replaced. The lock
  ///   is also nil if the folder does not exist; the following read reports that the folder is missing.
  /// - Throws: `PlistError` with the code `unwritableFile`.
  static func take(_ path: String) throws(PlistError) -> FileLock? {
    do throws(SystemFailure) {
      if let status = try FileSystem.status(of: path), !status.isRegular { return nil }
      Interruption.removeUnfinishedFiles()
      return try FileLock(of: path, removesFile: true)
    } catch {
      if error.isNoSuchFile { return nil }
      throw PlistError(code: .unwritableFile, message: "cannot write \(path): \(error.message)")
    }
  }
}
#endif
