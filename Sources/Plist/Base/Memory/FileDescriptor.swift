#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

package final class FileDescriptor: Sendable {
  package let number: Int32
  private let isOwned: Bool

  package enum Access {
    case reading
    /// Reading any kind of file without waiting for a pipe's writer, for paths in a list, which can lead to anything.
    case readingAtOnce
    /// Creating a new file with these permissions minus the `umask`.
    case creating(permissions: UInt32)
    /// Writing to an existing pipe or device, or appending to an existing file.
    case writing
    /// Examining a file that another process may have left behind, without following a link or blocking on a pipe.
    case examining
    /// Creating a file that only the current user can access, for data that is written and then read back.
    case scratch
  }

  package static let standardInput = FileDescriptor(borrowing: 0)
  package static let standardOutput = FileDescriptor(borrowing: 1)
  package static let standardError = FileDescriptor(borrowing: 2)

  /// Wraps an open descriptor without taking ownership of it.
  package init(borrowing number: Int32) {
    self.number = number
    isOwned = false
  }

  package init(path: String, for access: Access) throws(SystemFailure) {
    number = System.openFile(path, for: access)
    isOwned = true
    guard number >= 0 else { throw .last }
  }

  /// Creates a file that has no name and that the system deletes when it is closed.
  static func temporary() throws(SystemFailure) -> FileDescriptor {
    let folder = FileSystem.temporaryFolder
    if let number = System.openNamelessFile(in: folder) { return FileDescriptor(owning: number) }
    while true {
      let path = "\(folder)/plist.\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
      do {
        let file = try FileDescriptor(path: path, for: .scratch)
        FileSystem.remove(path)
        return file
      } catch {
        // If this random name is taken, try another.
        guard error.isFileThere else { throw error }
      }
    }
  }

  init(owning number: Int32) {
    self.number = number
    isOwned = true
  }

  deinit { if isOwned, number >= 0 { System.closeFile(number) } }

  package func status() throws(SystemFailure) -> FileStatus {
    guard let status = System.status(of: number) else { throw .last }
    return status
  }

  /// Copies the permissions in `status`, and the owner if the process is allowed to set it.
  func adopt(_ status: FileStatus) throws(SystemFailure) {
    guard System.adopt(status, number) == 0 else { throw .last }
  }

  /// Waits until everything written has reached the disk.
  package func synchronize() throws(SystemFailure) {
    guard System.synchronize(number) == 0 else { throw .last }
  }

  /// Truncates a regular file to its first `count` bytes.
  package func truncate(to count: Int) throws(SystemFailure) {
    while System.truncate(number, to: count) != 0 {
      let failure = SystemFailure.last
      guard failure.isInterrupted else { throw failure }
    }
  }

  /// Waits until no other descriptor holds the file's lock, then locks the file until this descriptor is closed.
  package func lock() throws(SystemFailure) {
    while System.lock(number, waits: true) != 0 {
      let failure = SystemFailure.last
      guard failure.isInterrupted else { throw failure }
    }
  }

  /// Locks the file like ``lock()``, or returns false if another descriptor holds the lock.
  package func lockIfFree() throws(SystemFailure) -> Bool {
    while System.lock(number, waits: false) != 0 {
      let failure = SystemFailure.last
      if failure.isBusy { return false }
      guard failure.isInterrupted else { throw failure }
    }
    return true
  }

  /// Reads the rest of the file, or returns nil if more than `limit` bytes remain.
  ///
  /// The size that the system reports can be wrong, and a file can be sparse or endless. Memory is therefore reserved
  /// in steps of at most 64 MiB or the size of what has been read, whichever is larger, and running out of memory is an
  /// error.
  package func contents(limit: Int) throws(SystemFailure) -> Data? {
    let piece = 1 << 16
    var buffer = ByteBuffer(capacity: piece)
    while true {
      if buffer.freeCapacity == 0 {
        // The size is queried only after 64 KiB, because most files are smaller and the query takes time.
        let remaining = remainingCount ?? 0
        if remaining > limit - buffer.count { return nil }
        let expected = remaining > 0 ? remaining + 1 : buffer.count
        let step = max(piece, min(expected, max(buffer.count, Self.largestFirstStep), limit - buffer.count + 1))
        guard buffer.reserveIfPossible(step) else { throw .outOfMemory(buffer.count + step) }
      }
      let done = unsafe buffer.append(capacity: buffer.freeCapacity) { unsafe readInto($0) }
      if done < 0 {
        let failure = SystemFailure.last
        if failure.isInterrupted { continue }
        throw failure
      }
      if done == 0 { return buffer.data() }
      if buffer.count > limit { return nil }
    }
  }

  private static var largestFirstStep: Int { 64 << 20 }

  /// Waits for at least one byte and returns what is available, which is nothing at the end of the file.
  package func readSome(upTo limit: Int) throws(SystemFailure) -> Data {
    var buffer = ByteBuffer(capacity: limit)
    while unsafe buffer.append(capacity: limit, fill: { unsafe readInto($0) }) < 0 {
      let failure = SystemFailure.last
      guard failure.isInterrupted else { throw failure }
    }
    return buffer.data()
  }

  private func readInto(_ memory: UnsafeMutableRawBufferPointer) -> Int {
    // Sound: the memory is valid during the call, and the system writes at most `memory.count` bytes to it.
    unsafe System.read(number, memory)
  }

  /// Goes back to the first byte of a regular file.
  func rewind() { _ = System.seek(number, 0, from: .start) }

  /// The number of bytes from the current position to the end; nil for pipes and terminals, which have no known end.
  package var remainingCount: Int? {
    let here = System.seek(number, 0, from: .here)
    guard here >= 0 else { return nil }
    let end = System.seek(number, 0, from: .end)
    guard end >= 0, System.seek(number, here, from: .start) == here else { return nil }
    return Int(clamping: max(0, end - here))
  }

  package var isTerminal: Bool { System.isTerminal(number) }

  /// Writes the bytes and returns the system call's failure, if any.
  package func write(_ bytes: RawSpan) -> SystemFailure? {
    unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        // Sound: the pointer covers the rest of the buffer, which is valid within this closure.
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        let written = unsafe System.write(number, rest)
        if written < 0 {
          let failure = SystemFailure.last
          if failure.isInterrupted { continue }
          return failure
        }
        done += written
      }
      return nil
    }
  }
}
