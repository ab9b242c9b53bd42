#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Android)
package import Android
#else
package import Darwin
#endif

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

package struct SystemFailure: Error {
  /// `errno`.
  let number: Int32
  /// For a lack of memory, how many bytes were asked for.
  private let byteCount: Int?

  init(number: Int32, byteCount: Int? = nil) {
    self.number = number
    self.byteCount = byteCount
  }

  static var last: SystemFailure { SystemFailure(number: errno) }

  static func outOfMemory(_ byteCount: Int) -> SystemFailure { SystemFailure(number: ENOMEM, byteCount: byteCount) }

  var isOutOfMemory: Bool { number == ENOMEM }

  package static var fileTooLarge: SystemFailure { SystemFailure(number: EFBIG) }

  var isFileTooLarge: Bool { number == EFBIG }

  package var isNoSuchFile: Bool { number == ENOENT }

  package var isFileThere: Bool { number == EEXIST }

  package var isBrokenPipe: Bool { number == EPIPE }

  package var message: String {
    if let byteCount { return "\(byteCount) bytes of memory cannot be allocated" }
    #if canImport(Darwin)
    // On Darwin, `strerror` can use one buffer for all threads.
    var text = [CChar](repeating: 0, count: 256)
    // Sound: `strerror_r` writes at most `text.count` bytes, and only during the call.
    _ = unsafe strerror_r(number, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
    // Sound: `strerror` returns a zero-terminated string that is constant or belongs to this thread, and it is copied
    // at once.
    return unsafe String(cString: strerror(number))
    #endif
  }
}

package final class FileDescriptor: Sendable {
  package let number: Int32
  private let isOwned: Bool

  package enum Access {
    case reading
    /// Reading a file of any kind without waiting for a pipe's writer, as in a list that others have made.
    case readingAtOnce
    /// Creating a new file with these permissions, minus the `umask`.
    case creating(permissions: mode_t)
    /// Writing to an existing pipe or device, or to the end of a file.
    case writing
    /// Looking at a file that another process may have left, without following a link or waiting for a pipe.
    case examining
    /// Creating a file for the current user only, to write data and read it back.
    case scratch
  }

  package static let standardInput = FileDescriptor(borrowing: STDIN_FILENO)
  package static let standardOutput = FileDescriptor(borrowing: STDOUT_FILENO)
  package static let standardError = FileDescriptor(borrowing: STDERR_FILENO)

  /// Opens a folder for each standard descriptor that is closed.
  ///
  /// A new file gets the lowest free number. If standard error were closed, a file could get its number, and messages
  /// would go into the file. A folder can be neither read nor written like a file, not even through a path such as
  /// `/dev/stdout`, so using a closed standard descriptor is still an error.
  package static func openStandardDescriptors() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      // Sound: the path is a zero-terminated literal.
      _ = unsafe open("/", O_RDONLY)
    }
  }

  /// Uses an open descriptor, and does not close it.
  package init(borrowing number: Int32) {
    self.number = number
    isOwned = false
  }

  package init(path: String, for access: Access) throws(SystemFailure) {
    let path = SystemPath.bytes(path)
    // Sound: each call gets the path as a zero-terminated array, which is valid during the call.
    switch access {
    case .reading: number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    case .readingAtOnce: number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    case .creating(let permissions):
      number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
    case .writing: number = unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    case .examining: number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    case .scratch: number = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600 as mode_t)
    }
    isOwned = true
    guard number >= 0 else { throw .last }
  }

  /// Creates a file without a name, which the system deletes when it is closed.
  static func temporary() throws(SystemFailure) -> FileDescriptor {
    let folder = FileSystem.temporaryFolder
    if let file = nameless(in: folder) { return file }
    while true {
      let path = "\(folder)/plist.\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
      do {
        let file = try FileDescriptor(path: path, for: .scratch)
        FileSystem.remove(path)
        return file
      } catch {
        // If there is a file with this random name, try another.
        guard error.number == EEXIST else { throw error }
      }
    }
  }

  /// Creates a file that never has a name, so that nothing remains of it even if the process is killed at once; nil if
  /// the system or file system cannot do that.
  private static func nameless(in folder: String) -> FileDescriptor? {
    #if os(Linux)
    // Swift does not import the macro `O_TMPFILE`, which is this bit and that of `O_DIRECTORY`.
    let temporary: Int32 = 0o20000000 | O_DIRECTORY
    // Sound: the path is a zero-terminated array, which is valid during the call.
    let number = unsafe open(SystemPath.bytes(folder), O_RDWR | temporary | O_CLOEXEC, 0o600 as mode_t)
    return number < 0 ? nil : FileDescriptor(owning: number)
    #else
    return nil
    #endif
  }

  init(owning number: Int32) {
    self.number = number
    isOwned = true
  }

  deinit { if isOwned, number >= 0 { close(number) } }

  package func status() throws(SystemFailure) -> FileStatus {
    var status = stat()
    // Sound: the `stat` structure outlives the call.
    guard unsafe fstat(number, &status) == 0 else { throw .last }
    return FileStatus(status)
  }

  /// Sets the permissions to those in `status`, and the owner if the process may do that.
  func adopt(_ status: FileStatus) throws(SystemFailure) {
    // If not, the owner stays the user of the process.
    _ = fchown(number, status.owner, status.group)
    guard fchmod(number, status.permissions) == 0 else { throw .last }
  }

  /// Waits until what was written is on the disk.
  package func synchronize() throws(SystemFailure) {
    #if canImport(Darwin)
    // On Darwin, `fsync` leaves bytes in the drive's cache, and `F_FULLFSYNC` does not, but some file systems have only
    // `fsync`.
    if fcntl(number, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(number) == 0 else { throw .last }
  }

  /// Removes all bytes of a regular file after the first `count`.
  package func truncate(to count: Int) throws(SystemFailure) {
    while ftruncate(number, off_t(count)) != 0 {
      guard errno == EINTR else { throw .last }
    }
  }

  /// Waits until no other descriptor locks the file, and locks it until this one is closed.
  package func lock() throws(SystemFailure) {
    while flock(number, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .last }
    }
  }

  /// Locks the file like ``lock()``; false if another descriptor locks it.
  package func lockIfFree() throws(SystemFailure) -> Bool {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .last }
    }
    return true
  }

  /// Reads the rest of the file; nil if more than `limit` bytes remain.
  ///
  /// The size that the system states can be false, and a file can be sparse or endless. Memory is therefore reserved in
  /// steps, of which each at most doubles what has been read, and a lack of memory is an error.
  package func contents(limit: Int) throws(SystemFailure) -> Data? {
    let piece = 1 << 16
    var buffer = ByteBuffer(capacity: piece)
    while true {
      if buffer.freeCapacity == 0 {
        // The size is asked for only after 64 KiB, because most files are smaller and asking takes time.
        let remaining = remainingCount ?? 0
        if remaining > limit - buffer.count { return nil }
        let expected = remaining > 0 ? remaining + 1 : buffer.count
        let step = max(piece, min(expected, max(buffer.count, Self.largestFirstStep), limit - buffer.count + 1))
        guard buffer.reserveIfPossible(step) else { throw .outOfMemory(buffer.count + step) }
      }
      let done = unsafe buffer.append(capacity: buffer.freeCapacity) { unsafe readInto($0) }
      if done < 0 {
        if errno == EINTR { continue }
        throw .last
      }
      if done == 0 { return buffer.data() }
      if buffer.count > limit { return nil }
    }
  }

  private static var largestFirstStep: Int { 64 << 20 }

  /// Waits for at least one byte, and returns what is there; nothing at the end of the file.
  package func readSome(upTo limit: Int) throws(SystemFailure) -> Data {
    var buffer = ByteBuffer(capacity: limit)
    while unsafe buffer.append(capacity: limit, fill: { unsafe readInto($0) }) < 0 {
      guard errno == EINTR else { throw .last }
    }
    return buffer.data()
  }

  private func readInto(_ memory: UnsafeMutableRawBufferPointer) -> Int {
    // Sound: the memory is valid during the call, and the system writes at most `memory.count` bytes to it.
    unsafe read(number, memory.baseAddress, memory.count)
  }

  /// Goes back to the first byte of a regular file.
  func rewind() { lseek(number, 0, SEEK_SET) }

  /// The bytes from the current position to the end; nil if there is no end, as in pipes and terminals.
  package var remainingCount: Int? {
    let here = lseek(number, 0, SEEK_CUR)
    guard here >= 0 else { return nil }
    let end = lseek(number, 0, SEEK_END)
    guard end >= 0, lseek(number, here, SEEK_SET) == here else { return nil }
    return Int(clamping: max(0, end - here))
  }

  package var isTerminal: Bool { isatty(number) == 1 }

  /// Writes the bytes, and returns the failure of the system call, if there was one.
  package func write(_ bytes: RawSpan) -> SystemFailure? {
    unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        // Sound: the pointer leads to the rest of the buffer, which is valid within this closure.
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        let written = unsafe systemWrite(number, rest)
        if written < 0 {
          if errno == EINTR { continue }
          return .last
        }
        done += written
      }
      return nil
    }
  }
}

/// The system's `write`, which the method hides inside of `FileDescriptor`.
private func systemWrite(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(number, bytes.baseAddress, bytes.count)
}
