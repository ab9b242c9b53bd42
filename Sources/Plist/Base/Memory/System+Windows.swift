#if os(Windows)
import FoundationEssentials
import WinSDK
import CRT

/// The system calls that this module uses on Windows; see `System+POSIX.swift`.
///
/// Files are opened with Win32, because only Win32 lets another process replace an open file. They then get a C runtime
/// descriptor, because that is the number in a `PlistFileDescriptor`. Reads and writes bypass the C runtime, which
/// would change line endings in standard output.
///
/// All calls are sound: paths are zero-terminated arrays that are valid during the call, structures outlive it, and the
/// system writes no more bytes than the buffer holds.
enum System {
  static func openFile(_ path: String, for access: FileDescriptor.Access) -> Int32 {
    var rights = DWORD(GENERIC_READ)
    var disposition = DWORD(OPEN_EXISTING)
    var flags = DWORD(FILE_ATTRIBUTE_NORMAL)
    switch access {
    case .reading, .readingAtOnce: break
    case .creating: (rights, disposition) = (DWORD(GENERIC_WRITE), DWORD(CREATE_NEW))
    case .writing: rights = DWORD(GENERIC_WRITE)
    case .examining: flags = DWORD(FILE_FLAG_OPEN_REPARSE_POINT)
    case .scratch:
      rights |= DWORD(GENERIC_WRITE)
      disposition = DWORD(CREATE_NEW)
      flags = DWORD(FILE_ATTRIBUTE_TEMPORARY) | DWORD(FILE_FLAG_DELETE_ON_CLOSE)
    }
    guard let handle = unsafe open(path, rights, disposition, flags) else { return -1 }
    let number = _open_osfhandle(Int(bitPattern: handle), 0)
    guard number >= 0 else {
      _ = unsafe CloseHandle(handle)
      return -1
    }
    if case .writing = access { _ = seek(number, 0, from: .end) }
    return number
  }

  private static func open(_ path: String, _ rights: DWORD, _ disposition: DWORD, _ flags: DWORD) -> HANDLE? {
    let sharing = DWORD(FILE_SHARE_READ) | DWORD(FILE_SHARE_WRITE) | DWORD(FILE_SHARE_DELETE)
    let handle = unsafe CreateFileW(wide(path), rights, sharing, nil, disposition, flags, nil)
    // `INVALID_HANDLE_VALUE` has all bits set.
    if let handle = unsafe handle, Int(bitPattern: handle) != -1 { return unsafe handle }
    noteFailure()
    return nil
  }

  /// Returns the path as zero-terminated UTF-16.
  private static func wide(_ path: String) -> [WCHAR] { path.utf16 + [0] }

  private static func handle(_ number: Int32) -> HANDLE? { unsafe HANDLE(bitPattern: _get_osfhandle(number)) }

  static func closeFile(_ number: Int32) { _close(number) }

  static func status(of number: Int32) -> FileStatus? { unsafe status(handle(number)) }

  static func status(of path: String) -> FileStatus? {
    // Folders can be opened only with this flag.
    let flags = DWORD(FILE_FLAG_BACKUP_SEMANTICS)
    guard let handle = unsafe open(path, DWORD(FILE_READ_ATTRIBUTES), DWORD(OPEN_EXISTING), flags) else { return nil }
    defer { _ = unsafe CloseHandle(handle) }
    return unsafe status(handle)
  }

  private static func status(_ handle: HANDLE?) -> FileStatus? {
    var status = BY_HANDLE_FILE_INFORMATION()
    let isFile = unsafe GetFileType(handle) == DWORD(FILE_TYPE_DISK)
    // Windows doesn't provide this information for pipes and consoles.
    if unsafe !isFile || GetFileInformationByHandle(handle, &status) { return FileStatus(status, isFile: isFile) }
    noteFailure()
    return nil
  }

  static func synchronize(_ number: Int32) -> Int32 { _commit(number) }

  static func truncate(_ number: Int32, to count: Int) -> Int32 {
    let failure = _chsize_s(number, Int64(count))
    if failure != 0 { errno = failure }
    return failure == 0 ? 0 : -1
  }

  static func isTerminal(_ number: Int32) -> Bool { _isatty(number) != 0 }

  enum Origin: Int32 {
    case start, here, end
  }

  static func seek(_ number: Int32, _ offset: Int64, from origin: Origin) -> Int64 {
    guard unsafe GetFileType(handle(number)) == DWORD(FILE_TYPE_DISK) else {
      errno = ESPIPE
      return -1
    }
    return _lseeki64(number, offset, origin.rawValue)
  }

  static func openNamelessFile(in folder: String) -> Int32? { nil }

  /// Always true: Windows uses access control lists, which this module does not read.
  static func isOwn(_ owner: UInt32) -> Bool { true }

  /// Does nothing, because a new file inherits the access rights of its folder.
  static func adopt(_ status: FileStatus, _ number: Int32) -> Int32 { 0 }

  static let hasFileLocks = true

  /// Locks one byte far beyond the end of any file, because other processes can't read or write locked bytes.
  static func lock(_ number: Int32, waits: Bool) -> Int32 {
    var place = unsafe overlapped(at: Int64.max - 1)
    let flags = DWORD(LOCKFILE_EXCLUSIVE_LOCK) | (waits ? 0 : DWORD(LOCKFILE_FAIL_IMMEDIATELY))
    return unsafe LockFileEx(handle(number), flags, 0, 1, 0, &place) ? 0 : fail()
  }
}

// MARK: Folders and names

extension System {
  static let namesDescriptors = false

  /// Whether the byte is a slash, a backslash, or the colon after a drive letter.
  static func isSeparator(_ byte: UInt8) -> Bool { byte == 0x2F || byte == 0x5C || byte == 0x3A }

  static func isAbsolute(_ path: String) -> Bool {
    path.hasPrefix("/") || path.hasPrefix("\\") || path.dropFirst().hasPrefix(":")
  }

  static func linkTarget(of path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  static var temporaryFolder: String { FileManager.default.temporaryDirectory.path }

  static func environmentVariable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  static func move(_ path: String, to newPath: String) -> Int32 {
    let flags = DWORD(MOVEFILE_REPLACE_EXISTING) | DWORD(MOVEFILE_WRITE_THROUGH)
    return unsafe MoveFileExW(wide(path), wide(newPath), flags) ? 0 : fail()
  }

  static func addName(_ newPath: String, to path: String) -> Int32 {
    unsafe CreateHardLinkW(wide(newPath), wide(path), nil) ? 0 : fail()
  }

  static func remove(_ path: String) -> Int32 { unsafe DeleteFileW(wide(path)) ? 0 : fail() }

  /// Always true, because only an attempt to write can tell; ``FileStatus/permissions`` already reflects the read-only
  /// attribute.
  static func mayWrite(_ path: String) -> Bool { true }

  static func hasExtendedAttributes(_ path: String) -> Bool { false }
}

extension FileStatus {
  fileprivate init(_ status: BY_HANDLE_FILE_INFORMATION, isFile: Bool) {
    func joined(_ high: DWORD, _ low: DWORD) -> UInt64 { UInt64(high) << 32 | UInt64(low) }
    size = Int(clamping: joined(status.nFileSizeHigh, status.nFileSizeLow))
    // In units of 100 ns since 1601.
    let time = joined(status.ftLastWriteTime.dwHighDateTime, status.ftLastWriteTime.dwLowDateTime)
    identity = Identity(
      device: UInt64(status.dwVolumeSerialNumber), number: joined(status.nFileIndexHigh, status.nFileIndexLow),
      size: size, seconds: Int64(time / 10_000_000) - 11_644_473_600, nanoseconds: Int(time % 10_000_000) * 100)
    isFolder = status.dwFileAttributes & DWORD(FILE_ATTRIBUTE_DIRECTORY) != 0
    isRegular = isFile && !isFolder
    permissions = status.dwFileAttributes & DWORD(FILE_ATTRIBUTE_READONLY) == 0 ? 0o666 : 0o444
    linkCount = Int(status.nNumberOfLinks)
    owner = 0
    group = 0
  }
}

// MARK: Bytes

extension System {
  static func read(_ number: Int32, _ memory: UnsafeMutableRawBufferPointer) -> Int {
    var count: DWORD = 0
    let isDone = unsafe ReadFile(handle(number), memory.baseAddress, DWORD(clamping: memory.count), &count, nil)
    return isDone ? Int(count) : endOrFailure()
  }

  static func read(_ number: Int32, _ memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    var count: DWORD = 0
    var place = unsafe overlapped(at: Int64(offset))
    let isDone = unsafe ReadFile(handle(number), memory.baseAddress, DWORD(clamping: memory.count), &count, &place)
    return isDone ? Int(count) : endOrFailure()
  }

  static func write(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    var count: DWORD = 0
    let isDone = unsafe WriteFile(handle(number), bytes.baseAddress, DWORD(clamping: bytes.count), &count, nil)
    return isDone ? Int(count) : fail()
  }

  static func write(_ number: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    var count: DWORD = 0
    var place = unsafe overlapped(at: Int64(offset))
    let isDone = unsafe WriteFile(handle(number), bytes.baseAddress, DWORD(clamping: bytes.count), &count, &place)
    return isDone ? Int(count) : fail()
  }

  private static func overlapped(at offset: Int64) -> OVERLAPPED {
    var place = unsafe OVERLAPPED()
    unsafe place.Offset = DWORD(truncatingIfNeeded: offset)
    unsafe place.OffsetHigh = DWORD(truncatingIfNeeded: offset >> 32)
    return unsafe place
  }

  /// Returns 0 at the end of a pipe or file, which Windows reports as an error, and -1 for any other error.
  private static func endOrFailure() -> Int {
    switch Int32(bitPattern: GetLastError()) {
    case ERROR_BROKEN_PIPE, ERROR_HANDLE_EOF: 0
    default: fail()
    }
  }
}

// MARK: Memory

extension System {
  static let canMap = true

  static func map(_ number: Int32, _ count: Int) -> UnsafeMutableRawPointer? {
    var base: UnsafeMutableRawPointer?
    if let mapping = unsafe CreateFileMappingW(handle(number), nil, DWORD(PAGE_READONLY), 0, 0, nil) {
      unsafe base = MapViewOfFile(mapping, DWORD(FILE_MAP_READ), 0, 0, SIZE_T(count))
      if unsafe base == nil { noteFailure() }
      // The view keeps the mapping open.
      _ = unsafe CloseHandle(mapping)
    } else {
      noteFailure()
    }
    return unsafe base
  }

  static func unmap(_ base: UnsafeMutableRawPointer, _ count: Int) { _ = unsafe UnmapViewOfFile(base) }

  /// Does nothing, because Windows itself reclaims pages when memory is short.
  static func releasePages(_ base: UnsafeMutableRawPointer, _ count: Int) {}

  static func canAllocate(_ size: Int) -> Bool {
    var memory = MEMORYSTATUSEX()
    memory.dwLength = DWORD(MemoryLayout<MEMORYSTATUSEX>.size)
    return unsafe GlobalMemoryStatusEx(&memory) && memory.ullAvailPageFile >= UInt64(size)
  }

  static func preferLargePages(_ base: UnsafeMutableRawPointer, _ size: Int) {}
}

// MARK: Errors

extension System {
  private static func noteFailure() { errno = errorNumber(Int32(bitPattern: GetLastError())) }

  private static func fail<Number: SignedInteger>() -> Number {
    noteFailure()
    return -1
  }

  /// Maps the Windows errors that callers distinguish to POSIX numbers.
  private static func errorNumber(_ number: Int32) -> Int32 {
    switch number {
    case ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_INVALID_DRIVE, ERROR_INVALID_NAME, ERROR_BAD_NETPATH,
      ERROR_BAD_NET_NAME:
      ENOENT
    case ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION: EACCES
    case ERROR_LOCK_VIOLATION, ERROR_IO_PENDING: EAGAIN
    case ERROR_FILE_EXISTS, ERROR_ALREADY_EXISTS: EEXIST
    case ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY, ERROR_COMMITMENT_LIMIT: ENOMEM
    case ERROR_DISK_FULL, ERROR_HANDLE_DISK_FULL: ENOSPC
    case ERROR_WRITE_PROTECT: EROFS
    case ERROR_FILENAME_EXCED_RANGE: ENAMETOOLONG
    case ERROR_BROKEN_PIPE, ERROR_NO_DATA: EPIPE
    case ERROR_INVALID_HANDLE: EBADF
    case ERROR_NOT_SUPPORTED, ERROR_INVALID_FUNCTION: ENOTSUP
    default: EIO
    }
  }
}
#endif
