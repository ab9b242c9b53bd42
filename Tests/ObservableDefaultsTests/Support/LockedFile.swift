import Foundation

/// A lock on a store's lock file, which prevents saves as if another process held the lock.
final class LockedFile: Sendable {
  private let descriptor: Int32

  /// Locks the file of a store; the store must have saved the file once, so that the lock file exists.
  init(_ url: URL) {
    let lock = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).lock")
    // The `unsafe` call is sound: the path is passed as a terminated string that is valid during the call. With
    // O_CLOEXEC, no child process of another test inherits the descriptor and keeps the lock.
    descriptor = unsafe open(lock.path, O_RDONLY | O_CLOEXEC)
    precondition(flock(descriptor, LOCK_EX) == 0, "cannot lock \(lock.path)")
  }

  func unlock() { close(descriptor) }
}
