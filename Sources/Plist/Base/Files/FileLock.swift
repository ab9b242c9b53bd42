#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// A lock on a file that several processes read and replace.
///
/// A `FileLock` object holds the lock until the object is deallocated.
///
/// A lock on the file itself would not work, because each writer replaces the file with another file. A `FileLock`
/// locks a separate lock file: `.settings.plist.lock` for `settings.plist`, in the folder of the file. If
/// `settings.plist` is a symbolic link, the lock file is in the folder of the link's target. All processes that use the
/// same lock file take turns, even if they reach the locked file by different symbolic links.
///
/// A file name can have up to 255 bytes. If the file's name has more than 249 bytes, the lock file has a shortened
/// name: `.PREFIX-HASH.lock`. `PREFIX` is at most 232 bytes of the file's name, and `HASH` is a hash of the whole name.
/// `AtomicFile.hiddenName(for:suffix:)` defines the prefix and the hash.
package final class FileLock {
  private let file: FileDescriptor
  private let isRemovedAtEnd: Bool

  /// Waits for the lock on the file at `path`, and acquires the lock; returns nil if the lock is not available before
  /// the time `end`.
  ///
  /// The file at `path` need not exist. If `end` is nil, the wait has no time limit. If `removesFile` is true, a lock
  /// file that this call creates is marked as temporary. Whoever holds the lock of a temporary lock file with
  /// `removesFile` removes it, so that it goes even if its creator was killed, or waits and is interrupted while another
  /// process has the lock. Other lock files are not removed.
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
      // While this process was waiting for the lock, another process may have removed the lock file. A lock on a
      // removed file does not keep other processes out, so this process locks a new lock file.
      if file.isFile(at: lockPath) {
        isRemovedAtEnd = removesFile ? try Self.isTemporary(file) : false
        if isRemovedAtEnd { UnfinishedFiles.add(file, at: lockPath) }
        self.file = file
        isLocked = true
        return
      }
    }
  }

  // The lock file is removed while this process still holds the lock. A process that waits for the lock detects that the
  // lock file has been removed, and creates another lock file.
  deinit { if isRemovedAtEnd { UnfinishedFiles.remove(file) } }

  /// Locks the file, or returns false if the lock is not available before the time `end`.
  private static func lock(_ file: FileDescriptor, before end: ContinuousClock.Instant?) throws(SystemFailure) -> Bool {
    var pause: useconds_t = 200
    while let end, flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      // After any failure except `EWOULDBLOCK` and `EINTR`, the loop ends, and `file.lock()` waits or throws an error.
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      if ContinuousClock.now > end { return false }
      usleep(pause)
      // The pauses between attempts remain short, so that this process can get the lock even if other processes release
      // the lock only briefly.
      pause = min(2 * pause, 1_000)
    }
    // If the loop has already locked the file, the call of `file.lock()` has no effect.
    try file.lock()
    return true
  }

  private static func open(
    _ path: String, permissions: mode_t, isTemporary: Bool
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
        // If the lock file now exists, another process has created the lock file since this process failed to open it.
        guard error.isFileThere else { throw error }
      }
    }
  }

  /// The contents of a lock file that is removed after use; a lock file that stays is empty.
  private static let mark = "temporary\n"

  private static func isTemporary(_ file: FileDescriptor) throws(SystemFailure) -> Bool { try file.status().size > 0 }
}
