#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file that is written and then replaces another atomically.
///
/// The bytes go to a temporary file in the same folder, which is synchronized to the disk and renamed. A symbolic link
/// stays a link; the file that it leads to is replaced. An existing file keeps its permissions and extended attributes,
/// and its owner if the process may set that. Pipes, devices and other special files are written directly. For a path
/// that names an open descriptor of the process, such as `/dev/stdout`, the bytes go to that descriptor: a shell that
/// redirected it may already have written to the file, and may write more later.
package final class AtomicFile {
  private let path: String
  private let temporaryPath: String?
  /// The descriptor for writing; ``lock`` once the last byte is written.
  private var file: FileDescriptor
  /// A read-only descriptor that holds the lock on the temporary file, so that ``file`` can be closed before the
  /// rename.
  ///
  /// To a process that watches the path, a later close would look like another write.
  private let lock: FileDescriptor
  private var isCommitted = false
  /// What the old file had and the new one lacks (extended attributes, hard links), as sentences for the user.
  package private(set) var losses: [String] = []

  /// If there is no file at `path`, the new one gets `permissions`, minus the `umask`.
  package init(replacing path: String, permissions: UInt32 = 0o666) throws(SystemFailure) {
    let existing = try FileSystem.status(of: path)
    if let existing {
      var special = try DescriptorPath.descriptor(of: path)
      // Links to special files are not resolved: one such as `/dev/stdout` can lead to a pipe without a path of its
      // own.
      if special == nil, !existing.isRegular { special = try FileDescriptor(path: path, for: .writing) }
      if let special {
        self.path = path
        temporaryPath = nil
        file = special
        lock = special
        return
      }
    }
    self.path = Self.resolvingLinks(path)
    let (file, lock, temporaryPath) = try Self.temporaryFile(
      for: self.path, permissions: existing == nil ? permissions : 0o600)
    self.file = file
    self.lock = lock
    self.temporaryPath = temporaryPath
    if let existing {
      do { try file.adopt(existing) } catch {
        UnfinishedFiles.remove(lock)
        throw error
      }
      losses = Self.losses(of: existing, at: self.path, copiedTo: temporaryPath)
    }
  }

  /// Creates the temporary file, and locks it as long as this process lives and uses it.
  ///
  /// The first 16 names are fixed, so that a later call finds what a killed process left behind. Such a file is
  /// recognized by its lock, which nobody holds.
  private static func temporaryFile(
    for path: String, permissions: UInt32
  ) throws(SystemFailure) -> (file: FileDescriptor, lock: FileDescriptor, path: String) {
    let (folder, name) = split(path)
    var number = 0
    while true {
      let unique = number < commonNames ? String(number) : String(UInt64.random(in: .min ... .max), radix: 36)
      let temporaryPath = folder + hiddenName(for: name, suffix: ".unfinished\(unique).tmp")
      do throws(SystemFailure) {
        let created = try UnfinishedFiles.create(temporaryPath, permissions: permissions) { file in
          // If the `umask` forbids reading, the writing descriptor holds the lock.
          let lock = (try? FileDescriptor(path: temporaryPath, for: .examining)) ?? file
          // Another process may take the file for an abandoned one: it locks the file, and removes it. A file system
          // without locks is fine: then `removeRemains` never removes anything.
          guard (try? lock.lockIfFree()) ?? true, lock === file || lock.isSameFile(as: file),
            file.isFile(at: temporaryPath)
          else { return nil }
          return lock
        }
        if let created { return (created.file, created.lock, temporaryPath) }
      } catch {
        guard error.isFileThere else { throw error }
        if !removeRemains(at: temporaryPath) { number += 1 }
      }
    }
  }

  /// The number of fixed names, and so of processes that can replace one file at the same time before names are random.
  private static var commonNames: Int { 16 }

  /// Removes a temporary file that a killed process has left; false if the file is in use, or not known to be a
  /// temporary file of this user.
  private static func removeRemains(at path: String) -> Bool {
    let file: FileDescriptor
    do { file = try FileDescriptor(path: path, for: .examining) } catch { return error.isNoSuchFile }
    guard let status = try? file.status(), status.isRegular, status.isOwn, (try? file.lockIfFree()) == true else {
      return false
    }
    if file.isFile(at: path) { FileSystem.remove(path) }
    return true
  }

  /// Copies extended attributes to the temporary file, and returns a sentence for each loss.
  private static func losses(of existing: FileStatus, at path: String, copiedTo temporaryPath: String) -> [String] {
    var losses: [String] = []
    if existing.linkCount > 1 {
      let others = existing.linkCount - 1
      let links = others == 1 ? "another hard link, which keeps" : "\(others) other hard links, which keep"
      losses.append("the file had \(links) the old contents")
    }
    // Checked first, because Foundation's call also looks up the names of user and group, which can be slow.
    guard System.hasExtendedAttributes(path) else { return losses }
    let key = FileAttributeKey("NSFileExtendedAttributes")
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)[key] as? [String: Data]
    for (name, value) in (attributes ?? [:]).sorted(by: { $0.key < $1.key }) {
      do {
        try FileManager.default.setAttributes([key: [name: value]], ofItemAtPath: temporaryPath)
      } catch {
        // SELinux labels each new file, so a label that cannot be copied is no loss.
        if name != "security.selinux" { losses.append("the old file's extended attribute \(name) was lost") }
      }
    }
    return losses
  }

  deinit {
    if temporaryPath != nil, !isCommitted { UnfinishedFiles.remove(lock) }
  }

  package var status: FileStatus { get throws(SystemFailure) { try file.status() } }

  package func write(_ bytes: RawSpan) throws(SystemFailure) {
    if let failure = file.write(bytes) { throw failure }
  }

  /// Replaces the file with the temporary file.
  ///
  /// If `mustBeNew` is true, a file that exists is an error, even if another process has created it just now. On a file
  /// system without hard links, two processes that create a file at the same time can still replace each other's.
  package func commit(mustBeNew: Bool = false) throws(SystemFailure) {
    guard let temporaryPath else { return }
    try file.synchronize()
    file = lock
    try UnfinishedFiles.finish(lock) { () throws(SystemFailure) in
      guard mustBeNew else { return try FileSystem.move(temporaryPath, to: path) }
      do {
        try FileSystem.addName(path, to: temporaryPath)
        FileSystem.remove(temporaryPath)
      } catch {
        // On a file system without hard links, the error is not `EEXIST`, even if the file exists.
        guard try FileSystem.status(of: path) == nil else { throw .fileThere }
        try FileSystem.move(temporaryPath, to: path)
      }
    }
    isCommitted = true
    Self.synchronizeFolder(of: path)
  }

  /// Removes the file at `path`, or the one that a symbolic link leads to.
  package static func remove(_ path: String) throws(SystemFailure) {
    let path = resolvingLinks(path)
    try FileSystem.removeFile(path)
    synchronizeFolder(of: path)
  }

  /// Synchronizes the folder of `path`, so that a crash cannot undo a rename or removal.
  ///
  /// Not all folders can be synchronized, so failures are ignored.
  private static func synchronizeFolder(of path: String) {
    if let folder = try? FileDescriptor(path: split(path).folder + ".", for: .reading) { try? folder.synchronize() }
  }

  /// Returns the folder of `path` with its last slash, or an empty string if there is none, and the name after it.
  package static func split(_ path: String) -> (folder: String, name: Substring) {
    guard let slash = path.utf8.lastIndex(where: System.isSeparator) else { return ("", path[...]) }
    let start = path.utf8.index(after: slash)
    return (String(path[..<start]), path[start...])
  }

  /// Returns the name of a hidden file next to `name`: `.NAME` and the suffix.
  ///
  /// Names usually have at most 255 bytes. A longer name is cut, and followed by `-` and the 64-bit FNV-1a hash of the
  /// whole name in hexadecimal digits. That hash has no random seed, so it is the same in all processes.
  package static func hiddenName(for name: Substring, suffix: String) -> String {
    let bytes = SystemPath.bytes(String(name)).dropLast().map { UInt8(truncatingIfNeeded: $0) }
    let capacity = 255 - 1 - suffix.utf8.count
    if bytes.count <= capacity { return ".\(name)\(suffix)" }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    // Cut before the first byte of a character, so that UTF-8 stays valid.
    var end = capacity - 17
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return ".\(SystemPath.string(Array(bytes[..<end])))-\(String(hash, radix: 16))\(suffix)"
  }

  /// Follows symbolic links.
  ///
  /// For a cycle, it returns one of the links, and opening that fails.
  package static func resolvingLinks(_ path: String) -> String {
    var path = path
    for _ in 0..<40 {
      guard let target = FileSystem.linkTarget(of: path) else { break }
      path = System.isAbsolute(target) ? target : split(path).folder + target
    }
    return path
  }
}
