#if CommandLineTool
import Plist

/// The lock for in-place edits of a file.
///
/// `PropertyListFileStore` acquires the same lock as the tool's in-place edits, so concurrent edits are not lost.
enum EditLock {
  /// Acquires the lock of the file at `path`.
  ///
  /// - Returns: The lock, or nil if the file is not a regular file or its folder does not exist.
  /// - Throws: `PlistError` with the code `unwritableFile` if the lock cannot be acquired, or if the path stands for a
  ///   descriptor, whose file cannot be replaced.
  static func take(_ path: String) throws(PlistError) -> FileLock? {
    let message: String
    do throws(SystemFailure) {
      if let status = try FileSystem.status(of: path), !status.isRegular { return nil }
      if try DescriptorPath.descriptor(of: path) == nil {
        Interruption.removeUnfinishedFiles()
        return try FileLock(of: path, removesFile: true)
      }
      // The descriptor would write the new document after the old one.
      message = "a descriptor's file cannot be edited in place"
    } catch {
      if error.isNoSuchFile { return nil }
      message = error.message
    }
    throw PlistError(code: .unwritableFile, message: "cannot write \(path): \(message)")
  }
}
#endif
