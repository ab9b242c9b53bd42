#if CommandLineTool
import Plist

/// The lock for editing a file in place.
///
/// `PropertyListFileStore` takes the same lock, so that concurrent edits are not lost.
enum EditLock {
  /// Takes the lock for a file.
  ///
  /// - Returns: The lock, or nil if the file is not a regular one or its folder does not exist.
  /// - Throws: `PlistError.unwritableFile` if the lock cannot be acquired, or if the path refers to an open descriptor,
  ///   whose file cannot be replaced.
  static func take(_ path: String) throws(PlistError) -> FileLock? {
    let message: String
    do throws(SystemFailure) {
      if let status = try FileSystem.status(of: path), !status.isRegular { return nil }
      if try DescriptorPath.descriptor(of: path) == nil {
        Interruption.removeUnfinishedFiles()
        return try FileLock(of: path, removesFile: true)
      }
      // Writing to the descriptor would append the new document to the old one.
      message = "a descriptor's file cannot be edited in place"
    } catch {
      if error.isNoSuchFile { return nil }
      message = error.message
    }
    throw PlistError(code: .unwritableFile, message: "cannot write \(path): \(message)")
  }
}
#endif
