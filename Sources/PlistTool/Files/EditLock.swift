#if CommandLineTool
import Plist

/// The lock that edits in place take, the same as a `PropertyListFileStore` takes: edits take turns, and none is lost.
enum EditLock {
  /// Waits for the lock of the file at `path` and takes it until the result goes away.
  ///
  /// - Returns: The lock; nil for what is no regular file, which is written to and not replaced, and for a folder that
  ///   does not exist, so that reading says so.
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
