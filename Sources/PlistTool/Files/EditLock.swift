#if CommandLineTool
import Plist

/// The lock for in-place edits of a file.
///
/// `PropertyListFileStore` acquires the same lock as the tool's in-place edits, so concurrent edits are not lost.
enum EditLock {
  /// Acquires the lock of the file at `path`.
  ///
  /// - Returns: The lock, or nil if the file is not a regular file or its folder does not exist.
  /// - Throws: `PlistError` with the code `unwritableFile` if the lock cannot be acquired.
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
