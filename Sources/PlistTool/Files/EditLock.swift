#if CommandLineTool
import Plist

/// The lock that edits in place take, the same as a `PropertyListFileStore` takes: edits take turns, and none is lost.
enum EditLock {
  /// Waits for the lock of the file at `path`, and holds it until the result is released.
  ///
  /// - Returns: The lock. It is nil for a file that is not regular, which is written to and not replaced. It is also
  ///   nil if the folder does not exist; reading then reports that.
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
