/// Paths that name open descriptors: `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/3`, and links to them.
package enum DescriptorPath {
  /// Returns the descriptor that `path` names, or nil for an ordinary path.
  ///
  /// If the descriptor belongs to another process, it can't be used directly, so its file is opened for appending.
  package static func descriptor(of path: String) throws(SystemFailure) -> FileDescriptor? {
    guard System.namesDescriptors else { return nil }
    var path = path
    for _ in 0..<40 {
      let (folder, name) = AtomicFile.split(path)
      if let number = Int32(name), isDescriptorFolder(folder), isDescriptor(path) {
        let own = FileDescriptor(borrowing: number)
        return own.isFile(at: path) ? own : try FileDescriptor(path: path, for: .writing)
      }
      guard let target = FileSystem.linkTarget(of: path) else { return nil }
      path = System.isAbsolute(target) ? target : folder + target
    }
    return nil
  }

  #if os(Linux) || os(Android)
  /// Whether the folder is in procfs, where the only links with numeric names are descriptors.
  private static func isDescriptorFolder(_ folder: String) -> Bool {
    guard let processes = try? FileSystem.status(of: "/proc/self/fd"), let status = status(ofFolder: folder) else {
      return false
    }
    return status.identity.device == processes.identity.device
  }

  private static func isDescriptor(_ path: String) -> Bool { FileSystem.linkTarget(of: path) != nil }
  #else
  private static func isDescriptorFolder(_ folder: String) -> Bool {
    guard let descriptors = try? FileSystem.status(of: "/dev/fd"), let status = status(ofFolder: folder) else {
      return false
    }
    return status.identity.isSameFile(as: descriptors.identity)
  }

  private static func isDescriptor(_ path: String) -> Bool { true }
  #endif

  private static func status(ofFolder folder: String) -> FileStatus? {
    try? FileSystem.status(of: folder.isEmpty ? "." : folder)
  }
}
