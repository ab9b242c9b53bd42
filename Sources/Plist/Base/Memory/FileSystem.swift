package struct FileStatus {
  /// Identifies a file and the state of its contents.
  ///
  /// Files differ in their device or inode, and a change to a file shows in its modification time or size.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64
    let size: Int
    let seconds: Int64
    let nanoseconds: Int

    package func isSameFile(as other: Self) -> Bool { device == other.device && number == other.number }
  }

  package let identity: Identity
  /// The time when the contents last changed, in seconds since 1970.
  package var modificationTime: Double { Double(identity.seconds) + Double(identity.nanoseconds) / 1e9 }
  package let size: Int
  package let isRegular: Bool
  package let isFolder: Bool
  package let permissions: UInt32
  package let linkCount: Int
  let owner: UInt32
  /// Whether the file belongs to the user of this process.
  var isOwn: Bool { System.isOwn(owner) }
  let group: UInt32
}

/// The file-system operations that this package needs.
package enum FileSystem {
  /// Returns the status of the file at `path`, or nil if there is none.
  package static func status(of path: String) throws(SystemFailure) -> FileStatus? {
    if let status = System.status(of: path) { return status }
    let failure = SystemFailure.last
    if failure.isNoSuchFile { return nil }
    throw failure
  }

  package static func linkTarget(of path: String) -> String? { System.linkTarget(of: path) }

  static var temporaryFolder: String { System.temporaryFolder }

  package static func environmentVariable(_ name: String) -> String? { System.environmentVariable(name) }

  static func move(_ path: String, to newPath: String) throws(SystemFailure) {
    guard System.move(path, to: newPath) == 0 else { throw .last }
  }

  /// Creates a hard link at `newPath` to the file at `path`; throws if `newPath` already exists.
  static func addName(_ newPath: String, to path: String) throws(SystemFailure) {
    guard System.addName(newPath, to: path) == 0 else { throw .last }
  }

  static func remove(_ path: String) { try? removeFile(path) }

  static func removeFile(_ path: String) throws(SystemFailure) {
    guard System.remove(path) == 0 else { throw .last }
  }

  /// Whether the file may be written; false if nobody has write permission, even for the superuser.
  package static func isWritable(_ path: String) throws(SystemFailure) -> Bool {
    guard let status = try status(of: path) else { return true }
    return status.permissions & 0o222 != 0 && System.mayWrite(path)
  }
}
