#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file that is written under a temporary name and then atomically moved into place.
///
/// The bytes go to a temporary file in the same folder, which is synchronized to the disk and then renamed. If the path
/// is a symbolic link, the link stays and its target is replaced. The new file takes on the permissions and extended
/// attributes of the old one, and its owner if the process is allowed to set it. Pipes, devices and other special files
/// are written directly. If the path names an open descriptor of this process, such as `/dev/stdout`, the bytes go to
/// that descriptor, because a shell that redirected it may already have written to the file and may write more later.
package final class AtomicFile {
  private let path: String
  private let temporaryPath: String?
  /// The descriptor to write to, which ``commit(mustBeNew:)`` closes by replacing it with ``lock``.
  private var file: FileDescriptor
  /// A read-only descriptor that holds the lock on the temporary file, so ``file`` can be closed before the rename.
  ///
  /// Closing it later would look like another write to a process that watches the path.
  private let lock: FileDescriptor
  private var isCommitted = false
  /// Messages for the user about what the new file doesn't preserve: extended attributes and hard links.
  package private(set) var losses: [String] = []

  /// Prepares to replace the file at `path`.
  ///
  /// If there is none, the new file gets `permissions` minus the `umask`.
  package init(replacing path: String, permissions: UInt32 = 0o666) throws(SystemFailure) {
    let existing = try FileSystem.status(of: path)
    if let existing {
      var special = try DescriptorPath.descriptor(of: path)
      // Links to special files aren't resolved, because a link such as `/dev/stdout` can lead to a pipe that has no
      // path.
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

  /// Creates the temporary file and locks it for as long as this process uses it.
  ///
  /// The first 16 names are fixed so that a later call finds files left behind by killed processes. A file is known to
  /// be abandoned when nobody holds its lock.
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
          // If the `umask` prevents opening the file for reading, the writing descriptor holds the lock.
          let lock = (try? FileDescriptor(path: temporaryPath, for: .examining)) ?? file
          // Another process may have mistaken the file for an abandoned one, locked it and removed it. If the file
          // system doesn't support locks, we do without: `removeRemains` then leaves all files alone.
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

  /// The number of fixed names to try before falling back on random ones.
  private static var commonNames: Int { 16 }

  /// Removes a temporary file left behind by a killed process; returns false if the file is in use or isn't a regular
  /// file that belongs to this user.
  private static func removeRemains(at path: String) -> Bool {
    let file: FileDescriptor
    do { file = try FileDescriptor(path: path, for: .examining) } catch { return error.isNoSuchFile }
    guard let status = try? file.status(), status.isRegular, status.isOwn, (try? file.lockIfFree()) == true else {
      return false
    }
    if file.isFile(at: path) { FileSystem.remove(path) }
    return true
  }

  /// Copies extended attributes to the temporary file and returns a message for everything that couldn't be preserved.
  private static func losses(of existing: FileStatus, at path: String, copiedTo temporaryPath: String) -> [String] {
    var losses: [String] = []
    if existing.linkCount > 1 {
      let others = existing.linkCount - 1
      let links = others == 1 ? "another hard link, which keeps" : "\(others) other hard links, which keep"
      losses.append("the file had \(links) the old contents")
    }
    // Checked first because Foundation's call also looks up the user and group names, which can be slow.
    guard System.hasExtendedAttributes(path) else { return losses }
    let key = FileAttributeKey("NSFileExtendedAttributes")
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)[key] as? [String: Data]
    for (name, value) in (attributes ?? [:]).sorted(by: { $0.key < $1.key }) {
      do {
        try FileManager.default.setAttributes([key: [name: value]], ofItemAtPath: temporaryPath)
      } catch {
        // SELinux labels every new file, so it doesn't matter if the old label can't be copied.
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

  /// Replaces the file with the temporary one.
  ///
  /// If `mustBeNew` is true, throws if a file already exists at the path, even one that another process has just
  /// created. On file systems without hard links, two processes that create the file at the same time can still replace
  /// each other's file.
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
        // File systems without hard links don't report `EEXIST`, even if the file exists.
        guard try FileSystem.status(of: path) == nil else { throw .fileThere }
        try FileSystem.move(temporaryPath, to: path)
      }
    }
    isCommitted = true
    Self.synchronizeFolder(of: path)
  }

  /// Removes the file at `path`, or its target if it is a symbolic link.
  package static func remove(_ path: String) throws(SystemFailure) {
    let path = resolvingLinks(path)
    try FileSystem.removeFile(path)
    synchronizeFolder(of: path)
  }

  /// Synchronizes the folder of `path` so that a crash can't undo a rename or removal.
  ///
  /// Some folders can't be synchronized, so failures are ignored.
  private static func synchronizeFolder(of path: String) {
    if let folder = try? FileDescriptor(path: split(path).folder + ".", for: .reading) { try? folder.synchronize() }
  }

  /// Splits `path` after its last slash; the folder is empty if there is none.
  package static func split(_ path: String) -> (folder: String, name: Substring) {
    guard let slash = path.utf8.lastIndex(where: System.isSeparator) else { return ("", path[...]) }
    let start = path.utf8.index(after: slash)
    return (String(path[..<start]), path[start...])
  }

  /// Returns the name of a hidden file to put next to `name`: a dot, the name and the suffix.
  ///
  /// File systems usually limit names to 255 bytes. A name that would be longer is truncated and followed by `-` and
  /// the 64-bit FNV-1a hash of the whole name in hexadecimal. FNV-1a has no random seed, so all processes compute the
  /// same hash.
  package static func hiddenName(for name: Substring, suffix: String) -> String {
    let bytes = SystemPath.bytes(String(name)).dropLast().map { UInt8(truncatingIfNeeded: $0) }
    let capacity = 255 - 1 - suffix.utf8.count
    if bytes.count <= capacity { return ".\(name)\(suffix)" }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    // Don't cut a UTF-8 sequence in half.
    var end = capacity - 17
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return ".\(SystemPath.string(Array(bytes[..<end])))-\(String(hash, radix: 16))\(suffix)"
  }

  /// Returns the path of the file that `path` leads to through symbolic links.
  ///
  /// If the links form a cycle, returns one of them, which can't be opened.
  package static func resolvingLinks(_ path: String) -> String {
    var path = path
    for _ in 0..<40 {
      guard let target = FileSystem.linkTarget(of: path) else { break }
      path = System.isAbsolute(target) ? target : split(path).folder + target
    }
    return path
  }
}
