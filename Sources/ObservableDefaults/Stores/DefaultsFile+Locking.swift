import Dispatch
import Foundation
import Plist

extension DefaultsFile {
  /// The time in seconds that a writer waits for the file's lock before the writer throws an error.
  static var lockLimit: TimeInterval { 10 }

  /// Runs `body` with exclusive access to the file, which excludes other processes and the other stores of this
  /// process.
  ///
  /// After waiting for other threads, the method skips `body` if `isDone` returns true.
  ///
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/lockedFile`` if another process or thread keeps the
  /// file locked for more than ten seconds.
  func withExclusiveAccess(unless isDone: () -> Bool = { false }, _ body: () throws -> Void) throws {
    let end = ContinuousClock.now + .seconds(Self.lockLimit)
    guard writer.wait(timeout: .now() + Self.lockLimit) == .success else { throw isLocked }
    defer { writer.signal() }
    if isDone() { return }
    let lock: FileLock?
    do {
      try createFolder()
      lock = try FileLock(of: path, before: end)
    } catch {
      throw DefaultsError(.unwritableFile, "cannot lock \(path): \(error.message)")
    }
    guard let lock else { throw isLocked }
    try withExtendedLifetime(lock) { try body() }
  }

  private var isLocked: DefaultsError {
    DefaultsError(
      .lockedFile,
      "cannot write \(path): another process or thread has kept the file locked for \(Int(Self.lockLimit)) seconds")
  }

  /// If the folder cannot be created, the attempt to open the lock file reports the reason.
  private func createFolder() throws(SystemFailure) {
    let (folder, _) = AtomicFile.split(AtomicFile.resolvingLinks(path))
    if !folder.isEmpty, try FileSystem.status(of: folder) == nil {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
  }
}
