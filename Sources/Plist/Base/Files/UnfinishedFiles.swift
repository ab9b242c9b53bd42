/// What to remove if a signal ends the process: temporary files, and lock files that are removed after use.
///
/// plist-tool, which alone needs this, removes them on a thread of its own. So everything that creates, renames or
/// removes such a file does so under one lock together with its record: there is no moment in which a file is there and
/// not recorded, or recorded and already another process's.
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

  /// Records another descriptor of a recorded file instead.
  static func replace(_ file: FileDescriptor, by other: FileDescriptor) {
    files.withLock { files in
      if let path = files.removeValue(forKey: ObjectIdentifier(file))?.path {
        files[ObjectIdentifier(other)] = (path, other)
      }
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
  /// Removes the file from `path`, if that still leads to it and no other process holds its lock.
  ///
  /// Whoever holds the lock of a lock file or of a temporary file removes it later. On a file system without locks, no
  /// process can hold one.
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
