/// The files to remove if a signal ends the process: temporary files and temporary lock files.
///
/// Only plist-tool removes them this way, on a separate thread. Each file is therefore created, renamed or removed
/// under the lock that guards its record. Otherwise that thread could miss a file, or remove one that another process
/// has created in the meantime.
package enum UnfinishedFiles {
  private static let files = Guarded<[ObjectIdentifier: (path: String, file: FileDescriptor)]>([:])

  /// Creates a file for writing and records it in one step; throws if one already exists at `path`.
  static func create(_ path: String, permissions: UInt32) throws(SystemFailure) -> FileDescriptor {
    try files.withLock { (files) throws(SystemFailure) in
      let file = try FileDescriptor(path: path, for: .creating(permissions: permissions))
      files[ObjectIdentifier(file)] = (path, file)
      return file
    }
  }

  /// Records an existing file.
  static func add(_ file: FileDescriptor, at path: String) {
    files.withLock { $0[ObjectIdentifier(file)] = (path, file) }
  }

  /// Creates a file for writing, locks it and records the descriptor that holds the lock in one step; returns nil if
  /// `lock` does.
  ///
  /// If these were separate steps, a signal could arrive between them, and our own lock would keep us from removing the
  /// file.
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

  /// Calls `body`, which renames or removes the file, and then drops the file's record unless `body` throws.
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

  /// Removes all recorded files and calls `end`; meanwhile, no other thread can record a file.
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
  /// If another process holds the lock, it removes the file later. On a file system without locks, nobody can hold one.
  ///
  /// - Returns: Whether the file was removed.
  @discardableResult
  fileprivate func removeUnlessInUse(at path: String) -> Bool {
    guard (try? lockIfFree()) ?? true, isFile(at: path) else { return false }
    FileSystem.remove(path)
    return true
  }

  /// Whether both descriptors refer to the same file.
  func isSameFile(as other: FileDescriptor) -> Bool {
    guard let one = try? status(), let other = try? other.status() else { return false }
    return one.identity.isSameFile(as: other.identity)
  }

  /// Whether `path` still leads to this file rather than to one that has replaced it.
  func isFile(at path: String) -> Bool {
    guard let there = try? FileSystem.status(of: path), let own = try? status() else { return false }
    return there.identity.isSameFile(as: own.identity)
  }
}
