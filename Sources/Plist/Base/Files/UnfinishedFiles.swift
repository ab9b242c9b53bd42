/// What to remove if a signal ends the process: temporary files, and lock files that are removed after use.
///
/// Only plist-tool needs this, and it removes them on a thread of its own. Creating, renaming or removing such a file
/// and updating its record therefore happen under one lock, so that no file is missed, and no file that another process
/// has created since is removed.
package enum UnfinishedFiles {
  private static let files = Guarded<[ObjectIdentifier: (path: String, file: FileDescriptor)]>([:])

  /// Creates a file for writing and records it, in one step; throws if there is a file at `path`.
  static func create(_ path: String, permissions: UInt32) throws(SystemFailure) -> FileDescriptor {
    try files.withLock { (files) throws(SystemFailure) in
      let file = try FileDescriptor(path: path, for: .creating(permissions: permissions))
      files[ObjectIdentifier(file)] = (path, file)
      return file
    }
  }

  /// Records a file that exists.
  static func add(_ file: FileDescriptor, at path: String) {
    files.withLock { $0[ObjectIdentifier(file)] = (path, file) }
  }

  /// Creates a file for writing, locks it and records the descriptor that holds the lock, in one step; nil if `lock`
  /// returns none.
  ///
  /// If a signal came between locking and recording, our own lock would keep us from removing the file.
  static func create(
    _ path: String, permissions: UInt32, lock: (FileDescriptor) -> FileDescriptor?
  ) throws(SystemFailure) -> (file: FileDescriptor, lock: FileDescriptor)? {
    try files.withLock { (files) throws(SystemFailure) in
      let file = try FileDescriptor(path: path, for: .creating(permissions: permissions))
      guard let lock = lock(file) else { return nil }
      files[ObjectIdentifier(lock)] = (path, lock)
      return (file, lock)
    }
  }

  /// Calls `body`, which renames or removes the file, and then removes the record unless `body` throws.
  static func finish(_ file: FileDescriptor, _ body: () throws(SystemFailure) -> Void = {}) throws(SystemFailure) {
    try files.withLock { (files) throws(SystemFailure) in
      try body()
      files[ObjectIdentifier(file)] = nil
    }
  }

  /// Removes the file and its record.
  static func remove(_ file: FileDescriptor) {
    files.withLock { files in
      guard let (path, file) = files.removeValue(forKey: ObjectIdentifier(file)) else { return }
      file.removeUnlessInUse(at: path)
    }
  }

  /// Removes all recorded files and calls `end`; no other thread can record a file meanwhile.
  package static func removeAll(andThen end: () -> Never) -> Never {
    files.withLock { files -> Never in
      for (path, file) in files.values { file.removeUnlessInUse(at: path) }
      end()
    }
  }
}

extension FileDescriptor {
  /// Removes this file if it is still the one at `path` and no other process holds its lock.
  ///
  /// A process that holds the lock removes the file itself later. On a file system without locks, nobody can hold one.
  ///
  /// - Returns: Whether the file was removed.
  @discardableResult
  fileprivate func removeUnlessInUse(at path: String) -> Bool {
    guard (try? lockIfFree()) ?? true, isFile(at: path) else { return false }
    FileSystem.remove(path)
    return true
  }

  /// Whether both descriptors are open for the same file.
  func isSameFile(as other: FileDescriptor) -> Bool {
    guard let one = try? status(), let other = try? other.status() else { return false }
    return one.identity.isSameFile(as: other.identity)
  }

  /// Whether `path` leads to this file, and not to another that has replaced it.
  func isFile(at path: String) -> Bool {
    guard let there = try? FileSystem.status(of: path), let own = try? status() else { return false }
    return there.identity.isSameFile(as: own.identity)
  }
}
