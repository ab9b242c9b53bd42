/// A lock, held until the object is deallocated, on a file that several processes read and replace.
///
/// Locking the file itself wouldn't work, because each writer replaces it. Instead, the lock for `settings.plist` is on
/// `.settings.plist.lock` in the same folder. Symbolic links are resolved first, so two links to the same file share a
/// lock.
///
/// File names are limited to 255 bytes. If the file's name is longer than 249 bytes, the lock file is
/// `.PREFIX-HASH.lock`, where the prefix is at most 232 bytes of the name and the hash covers all of it; see
/// `AtomicFile.hiddenName(for:suffix:)`.
package final class FileLock {
  private let file: FileDescriptor
  private let isRemovedAtEnd: Bool

  /// Waits for the lock on the file at `path`, or returns nil if it isn't available before `end`.
  ///
  /// The file need not exist. If `end` is nil, there is no time limit. If `removesFile` is true, a lock file created by
  /// this call is marked as temporary, and every holder that passed `removesFile` removes it when releasing the lock.
  /// It is thus cleaned up even if its creator is killed or is interrupted while waiting. Lock files without the mark
  /// stay.
  package init?(
    of path: String, before end: ContinuousClock.Instant? = nil, removesFile: Bool = false
  ) throws(SystemFailure) {
    let (folder, name) = AtomicFile.split(AtomicFile.resolvingLinks(path))
    let permissions = try FileSystem.status(of: path)?.permissions ?? 0o600
    let lockPath = folder + AtomicFile.hiddenName(for: name, suffix: ".lock")
    while true {
      let file = try Self.open(lockPath, permissions: permissions, isTemporary: removesFile)
      var isLocked = false
      defer { if removesFile, !isLocked { UnfinishedFiles.remove(file) } }
      guard try Self.lock(file, before: end) else { return nil }
      // While we waited, another process may have removed the lock file. A lock on a removed file keeps nobody out, so
      // lock a new one.
      if file.isFile(at: lockPath) {
        isRemovedAtEnd = removesFile ? try Self.isTemporary(file) : false
        if isRemovedAtEnd { UnfinishedFiles.add(file, at: lockPath) }
        self.file = file
        isLocked = true
        return
      }
    }
  }

  // The file is removed while we still hold the lock; processes waiting for it notice and create a new file.
  deinit { if isRemovedAtEnd { UnfinishedFiles.remove(file) } }

  /// Locks the file, or returns false if the lock isn't available before `end`.
  private static func lock(_ file: FileDescriptor, before end: ContinuousClock.Instant?) throws(SystemFailure) -> Bool {
    guard System.hasFileLocks else { return true }
    guard let end else {
      try file.lock()
      return true
    }
    var pause: UInt32 = 200
    while try !file.lockIfFree() {
      if ContinuousClock.now > end { return false }
      CurrentThread.sleep(microseconds: pause)
      // Pauses stay short so that we get the lock even if others release it only briefly.
      pause = min(2 * pause, 1_000)
    }
    return true
  }

  private static func open(
    _ path: String, permissions: UInt32, isTemporary: Bool
  ) throws(SystemFailure) -> FileDescriptor {
    while true {
      do {
        return try FileDescriptor(path: path, for: .reading)
      } catch {
        guard error.isNoSuchFile else { throw error }
      }
      do throws(SystemFailure) {
        guard isTemporary else { return try FileDescriptor(path: path, for: .creating(permissions: permissions)) }
        let file = try UnfinishedFiles.create(path, permissions: permissions)
        if let failure = (mark.withByteSpan { file.write($0) }) {
          UnfinishedFiles.remove(file)
          throw failure
        }
        return file
      } catch {
        // Another process may have created the lock file since we failed to open it.
        guard error.isFileThere else { throw error }
      }
    }
  }

  /// The contents of a temporary lock file; permanent ones are empty.
  private static let mark = "temporary\n"

  private static func isTemporary(_ file: FileDescriptor) throws(SystemFailure) -> Bool { try file.status().size > 0 }
}
