#if !os(Windows)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#else
import Darwin
#endif

/// The system calls that this module uses.
///
/// Each platform family implements them in a separate file so that most other code is the same everywhere. When a call
/// fails with -1 or nil, the reason is in `errno`.
///
/// All calls are sound: paths are zero-terminated arrays that are valid during the call, structures outlive it, and the
/// system writes no more bytes than the buffer holds.
enum System {
  static func openFile(_ path: String, for access: FileDescriptor.Access) -> Int32 {
    let path = SystemPath.bytes(path)
    switch access {
    case .reading: return unsafe open(path, O_RDONLY | O_CLOEXEC)
    case .readingAtOnce: return unsafe open(path, O_RDONLY | OpenFlag.nonblocking | O_NOCTTY | O_CLOEXEC)
    case .creating(let permissions):
      return unsafe open(path, OpenFlag.writing | OpenFlag.new | O_CLOEXEC | O_NOFOLLOW, mode_t(permissions))
    case .writing: return unsafe open(path, OpenFlag.writing | OpenFlag.appending | O_CLOEXEC)
    case .examining: return unsafe open(path, O_RDONLY | OpenFlag.nonblocking | O_NOFOLLOW | O_CLOEXEC)
    case .scratch: return unsafe open(path, OpenFlag.both | OpenFlag.new | O_CLOEXEC | O_NOFOLLOW, 0o600 as mode_t)
    }
  }

  static func closeFile(_ number: Int32) { close(number) }

  static func status(of number: Int32) -> FileStatus? {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? FileStatus(status) : nil
  }

  static func status(of path: String) -> FileStatus? {
    var status = stat()
    return unsafe stat(SystemPath.bytes(path), &status) == 0 ? FileStatus(status) : nil
  }

  static func synchronize(_ number: Int32) -> Int32 {
    #if canImport(Darwin)
    // On Darwin, `fsync` can leave bytes in the drive's cache. `F_FULLFSYNC` doesn't, but some file systems don't
    // support it.
    if fcntl(number, F_FULLFSYNC) == 0 { return 0 }
    #endif
    return fsync(number)
  }

  static func truncate(_ number: Int32, to count: Int) -> Int32 { ftruncate(number, off_t(count)) }

  static func isTerminal(_ number: Int32) -> Bool { isatty(number) == 1 }

  enum Origin {
    case start, here, end
  }

  static func seek(_ number: Int32, _ offset: Int64, from origin: Origin) -> Int64 {
    let origin =
      switch origin {
      case .start: SEEK_SET
      case .here: SEEK_CUR
      case .end: SEEK_END
      }
    return Int64(lseek(number, off_t(offset), origin))
  }
}

// MARK: Folders and names

extension System {
  /// Whether paths such as `/dev/stdout` refer to open descriptors.
  static let namesDescriptors = true

  static func isSeparator(_ byte: UInt8) -> Bool { byte == 0x2F }

  static func isAbsolute(_ path: String) -> Bool { path.hasPrefix("/") }

  static func linkTarget(of path: String) -> String? {
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

  /// The environment variable `TMPDIR` if it is an absolute path, otherwise `/tmp`.
  static var temporaryFolder: String {
    guard let folder = environmentVariable("TMPDIR") else { return "/tmp" }
    return isAbsolute(folder) ? folder : "/tmp"
  }

  static func environmentVariable(_ name: String) -> String? {
    // Copied immediately. A program that changes its environment on another thread has a data race even without this
    // call.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  static func move(_ path: String, to newPath: String) -> Int32 {
    unsafe rename(SystemPath.bytes(path), SystemPath.bytes(newPath))
  }

  static func addName(_ newPath: String, to path: String) -> Int32 {
    unsafe link(SystemPath.bytes(path), SystemPath.bytes(newPath))
  }

  static func remove(_ path: String) -> Int32 { unsafe unlink(SystemPath.bytes(path)) }

  static func mayWrite(_ path: String) -> Bool { unsafe access(SystemPath.bytes(path), W_OK) == 0 }
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    size = Int(clamping: status.st_size)
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino), size: size,
      seconds: Int64(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    permissions = UInt32(status.st_mode & 0o7777)
    linkCount = Int(status.st_nlink)
    owner = status.st_uid
    group = status.st_gid
  }
}

// MARK: Bytes

extension System {
  static func read(_ number: Int32, _ memory: UnsafeMutableRawBufferPointer) -> Int {
    unsafe readBytes(number, memory.baseAddress, memory.count)
  }

  static func read(_ number: Int32, _ memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    unsafe pread(number, memory.baseAddress, memory.count, off_t(offset))
  }

  static func write(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe writeBytes(number, bytes.baseAddress, bytes.count)
  }

  static func write(_ number: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    unsafe pwrite(number, bytes.baseAddress, bytes.count, off_t(offset))
  }
}

// Outside of `System`, because inside it `read` and `write` would refer to its own functions.
private func readBytes(_ number: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(number, start, count)
}

private func writeBytes(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(number, start, count)
}

#if !os(WASI)

// MARK: Not on WASI

/// Flags for `open`, which WASI defines differently.
private enum OpenFlag {
  static var writing: Int32 { O_WRONLY }
  static var both: Int32 { O_RDWR }
  static var new: Int32 { O_CREAT | O_EXCL }
  static var appending: Int32 { O_APPEND }
  static var nonblocking: Int32 { O_NONBLOCK }
}

extension System {
  /// Creates a file that never has a name, so nothing is left behind even if the process is killed; returns nil if the
  /// system or file system can't do that.
  static func openNamelessFile(in folder: String) -> Int32? {
    #if os(Linux)
    // Swift doesn't import the macro `O_TMPFILE`, which combines this bit with `O_DIRECTORY`.
    let temporary: Int32 = 0o20000000 | O_DIRECTORY
    let number = unsafe open(SystemPath.bytes(folder), O_RDWR | temporary | O_CLOEXEC, 0o600 as mode_t)
    return number < 0 ? nil : number
    #else
    return nil
    #endif
  }

  static func isOwn(_ owner: UInt32) -> Bool { owner == geteuid() }

  static func adopt(_ status: FileStatus, _ number: Int32) -> Int32 {
    // If the process isn't allowed to change the owner, the file still belongs to the process's user.
    _ = fchown(number, status.owner, status.group)
    return fchmod(number, mode_t(status.permissions))
  }

  static let hasFileLocks = true

  static func lock(_ number: Int32, waits: Bool) -> Int32 { flock(number, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }

  /// Whether the file has extended attributes, or may have some that can't be queried.
  static func hasExtendedAttributes(_ path: String) -> Bool {
    // Without a buffer, `listxattr` just returns the length of the list.
    #if canImport(Darwin)
    return unsafe listxattr(SystemPath.bytes(path), nil, 0, 0) > 0
    #else
    guard let list = unsafe listxattr else { return true }
    return unsafe list(SystemPath.bytes(path), nil, 0) > 0
    #endif
  }

  #if !canImport(Darwin)
  private typealias AttributeList = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, Int) -> Int

  /// The C library's `listxattr`, which Swift does not import; nil in a statically linked program.
  ///
  /// Sound: `AttributeList` matches the function's type.
  private static let listxattr: AttributeList? = unsafe dlsym(nil, "listxattr").map {
    unsafe unsafeBitCast($0, to: AttributeList.self)
  }
  #endif
}

extension System {
  static let canMap = true

  /// Maps the first `count` bytes of a file for reading.
  static func map(_ number: Int32, _ count: Int) -> UnsafeMutableRawPointer? {
    let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, number, 0)
    // `mmap` reports failure as an address with all bits set; Swift doesn't import `MAP_FAILED` on every platform.
    return unsafe address == UnsafeMutableRawPointer(bitPattern: -1) ? nil : address
  }

  static func unmap(_ base: UnsafeMutableRawPointer, _ count: Int) { _ = unsafe munmap(base, count) }

  /// Drops mapped pages from this process's memory; they are read again when accessed.
  static func releasePages(_ base: UnsafeMutableRawPointer, _ count: Int) {
    _ = unsafe madvise(base, count, MADV_DONTNEED)
  }

  /// Whether the system could allocate `size` more bytes right now.
  static func canAllocate(_ size: Int) -> Bool {
    // Sound: the new mapping is never accessed, and only its own range is unmapped.
    let address = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address = unsafe address, unsafe address != UnsafeMutableRawPointer(bitPattern: -1) else { return false }
    unsafe munmap(address, size)
    return true
  }

  /// Advises the system to use huge pages for a large block.
  static func preferLargePages(_ base: UnsafeMutableRawPointer, _ size: Int) {
    #if os(Linux)
    let page = 1 << 12
    // The advice covers whole pages of 4 KiB, because the allocator can grow a mapping by moving its pages only if they
    // all have the same advice. Sound: the call only gives advice, and the pages are mapped.
    let start = UInt(bitPattern: base) & ~UInt(page - 1)
    let end = (UInt(bitPattern: base) + UInt(size) + UInt(page) - 1) & ~UInt(page - 1)
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
    #endif
  }
}

extension FileDescriptor {
  /// Opens a folder in place of each standard descriptor that is closed.
  ///
  /// A newly opened file gets the lowest free descriptor number. If standard error were closed, a file could get its
  /// number, and error messages would end up in that file. A folder can't be read or written like a file, even through
  /// a path such as `/dev/stdout`, so using a closed standard descriptor is still an error.
  package static func openStandardDescriptors() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      _ = unsafe open("/", O_RDONLY)
    }
  }
}
#endif
#endif
