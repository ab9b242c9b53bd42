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
  private let path: String
  private let isRemovedAtEnd: Bool

  /// Waits for the lock on the file at `path`, and acquires the lock; returns nil if the lock is not available before
  /// the time `end`.
  ///
  /// The file at `path` need not exist. If `end` is nil, the wait has no time limit. If `removesFile` is true, a lock
  /// file that this call creates is removed when the lock is released. A lock file that already existed is not removed.
  package init?(
    of path: String, before end: ContinuousClock.Instant? = nil, removesFile: Bool = false
  ) throws(SystemFailure) {
    let (folder, name) = AtomicFile.split(AtomicFile.resolvingLinks(path))
    let permissions = try FileSystem.status(of: path)?.permissions ?? 0o600
    let lockPath = folder + AtomicFile.hiddenName(for: name, suffix: ".lock")
    while true {
      let (file, isNew) = try Self.open(lockPath, permissions: permissions, isUnfinished: removesFile)
      let isRemovedAtEnd = isNew && removesFile
      var isLocked = false
      defer { if isRemovedAtEnd, !isLocked { UnfinishedFiles.remove(lockPath) } }
      guard try Self.lock(file, before: end) else { return nil }
      // While this process was waiting for the lock, another process may have removed the lock file. A lock on a
      // removed file does not keep other processes out, so this process locks a new lock file.
      if let status = try FileSystem.status(of: lockPath), try status.identity.isSameFile(as: file.status().identity) {
        self.path = lockPath
        (self.file, self.isRemovedAtEnd) = (file, isRemovedAtEnd)
        isLocked = true
        return
      }
    }
  }

  deinit {
    guard isRemovedAtEnd else { return }
    // The lock file is removed while this process still holds the lock. A process that waits for the lock detects that
    // the lock file has been removed, and creates another lock file.
    FileSystem.remove(path)
    UnfinishedFiles.remove(path)
  }

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
    _ path: String, permissions: mode_t, isUnfinished: Bool
  ) throws(SystemFailure) -> (FileDescriptor, isNew: Bool) {
    while true {
      do {
        return (try FileDescriptor(path: path, for: .reading), false)
      } catch {
        guard error.isNoSuchFile else { throw error }
      }
      do {
        let file = try FileDescriptor(path: path, for: .creating(permissions: permissions))
        if isUnfinished { UnfinishedFiles.add(path) }
        return (file, true)
      } catch {
        // If the lock file now exists, another process has created the lock file since this process failed to open it.
        guard error.isFileThere else { throw error }
      }
    }
  }
}
