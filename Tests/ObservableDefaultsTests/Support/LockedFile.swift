import Foundation

/// Locks a store's lock file, and so holds up saves as another process would.
final class LockedFile: Sendable {
  private let descriptor: Int32

  /// The store must have saved once, so that its lock file exists.
  init(_ url: URL) {
    let lock = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).lock")
    // Sound: the path is zero-terminated and valid during the call. With O_CLOEXEC, no child process of another test
    // inherits the descriptor and keeps the lock.
    descriptor = unsafe open(lock.path, O_RDONLY | O_CLOEXEC)
    precondition(flock(descriptor, LOCK_EX) == 0, "cannot lock \(lock.path)")
  }

  func unlock() { close(descriptor) }
}
