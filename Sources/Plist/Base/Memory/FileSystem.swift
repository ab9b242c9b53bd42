#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Android)
package import Android
#else
package import Darwin
#endif

package struct FileStatus {
  /// Identifies a file and its contents: files differ in device or inode, and a change shows in the modification time
  /// or the size.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    package func isSameFile(as other: Self) -> Bool { device == other.device && number == other.number }
  }

  package let identity: Identity
  /// The time of the last change of the contents, in seconds since 1970.
  package var modificationTime: Double { Double(identity.seconds) + Double(identity.nanoseconds) / 1e9 }
  package let size: Int
  package let isRegular: Bool
  package let isFolder: Bool
  package let permissions: mode_t
  package let linkCount: Int
  let owner: uid_t
  /// Whether the file belongs to the user of this process.
  var isOwn: Bool { owner == geteuid() }
  let group: gid_t

  init(_ status: stat) {
    size = Int(status.st_size)
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino), size: size,
      seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    permissions = status.st_mode & 0o7777
    linkCount = Int(status.st_nlink)
    owner = status.st_uid
    group = status.st_gid
  }
}

/// The system calls that replacing files takes.
///
/// All are sound: each path is a zero-terminated array that is valid during the call, and structures outlive it.
package enum FileSystem {
  /// Returns the status of the file at `path`, or nil if there is none.
  package static func status(of path: String) throws(SystemFailure) -> FileStatus? {
    var status = stat()
    guard unsafe stat(SystemPath.bytes(path), &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .last
    }
    return FileStatus(status)
  }

  package static func linkTarget(of path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 4096)
    let path = SystemPath.bytes(path)
    let length = unsafe target.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return 0 }
        return unsafe readlink(path, start, characters.count)
      }
    }
    guard length > 0, length < target.count else { return nil }
    return SystemPath.string(Array(target[..<length]))
  }

  /// `TMPDIR` of the environment if that is absolute, else `/tmp`.
  static var temporaryFolder: String {
    guard let folder = environmentVariable("TMPDIR") else { return "/tmp" }
    return folder.hasPrefix("/") ? folder : "/tmp"
  }

  package static func environmentVariable(_ name: String) -> String? {
    // Copied at once. A program that changes its environment on another thread has a data race even without this call.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  static func move(_ path: String, to newPath: String) throws(SystemFailure) {
    guard unsafe rename(SystemPath.bytes(path), SystemPath.bytes(newPath)) == 0 else { throw .last }
  }

  /// Adds a name for the file at `path`; throws if there is a file at `newPath`.
  static func addName(_ newPath: String, to path: String) throws(SystemFailure) {
    guard unsafe link(SystemPath.bytes(path), SystemPath.bytes(newPath)) == 0 else { throw .last }
  }

  static func remove(_ path: String) { try? removeFile(path) }

  static func removeFile(_ path: String) throws(SystemFailure) {
    guard unsafe unlink(SystemPath.bytes(path)) == 0 else { throw .last }
  }

  /// Whether the file has extended attributes, as far as the system can tell.
  static func hasExtendedAttributes(_ path: String) -> Bool {
    // Sound: the path is a zero-terminated array, and without a buffer, `listxattr` only returns the length of the
    // list.
    #if canImport(Darwin)
    return unsafe listxattr(SystemPath.bytes(path), nil, 0, 0) > 0
    #else
    guard let list = unsafe listxattr else { return true }
    return unsafe list(SystemPath.bytes(path), nil, 0) > 0
    #endif
  }

  #if !canImport(Darwin)
  private typealias AttributeList = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, Int) -> Int

  /// The C library's function, which Swift does not import; nil in a program without a dynamic linker.
  ///
  /// Sound: the type is that of the function.
  private static let listxattr: AttributeList? = unsafe dlsym(nil, "listxattr").map {
    unsafe unsafeBitCast($0, to: AttributeList.self)
  }
  #endif

  /// A file without any write permission is not writable, even for the superuser.
  package static func isWritable(_ path: String) throws(SystemFailure) -> Bool {
    guard let status = try status(of: path) else { return true }
    guard status.permissions & 0o222 != 0 else { return false }
    return unsafe access(SystemPath.bytes(path), W_OK) == 0
  }
}
