#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Android)
package import Android
#else
package import Darwin
#endif

/// A file that is written and then replaces another file atomically.
///
/// The bytes are written to a temporary file in the folder of the replaced file. The temporary file is synchronized to
/// the disk and then renamed. If the path is a symbolic link, the link remains, and the file that the link refers to is
/// replaced. An existing file keeps its permissions and its extended attributes. An existing file also keeps its owner,
/// if the process is allowed to set the owner. If the path is a pipe, a device or another special file, the bytes are
/// written directly to the special file. If the path stands for an open descriptor of the process, as `/dev/stdout`
/// does, the bytes are written to the descriptor: a shell that has redirected it may have written to the file already,
/// and goes on afterwards.
package final class AtomicFile {
  private let path: String
  private let temporaryPath: String?
  /// The descriptor for writing, or after the last byte, ``lock``.
  private var file: FileDescriptor
  /// A descriptor for reading that locks the temporary file, so that the descriptor for writing can be closed before the
  /// file gets its name: to whoever watches the name, closing it later would look like a write by another process.
  private let lock: FileDescriptor
  private var isCommitted = false
  /// Sentences for the user about properties of the old file that the new file does not have: extended attributes and
  /// hard links.
  package private(set) var losses: [String] = []

  /// The `permissions` of a new file are reduced by the process's `umask`.
  package init(replacing path: String, permissions: mode_t = 0o666) throws(SystemFailure) {
    let existing = try FileSystem.status(of: path)
    if let existing {
      var special = try DescriptorPath.descriptor(of: path)
      // For special files, symbolic links are not resolved, because a link such as `/dev/stdout` can lead to a pipe
      // that has no path of its own.
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

  /// Creates the temporary file, and locks it for as long as this process is alive and uses it.
  ///
  /// The names of temporary files are few, so that remains of a killed process are found by their names, and known as
  /// remains because nobody locks them.
  private static func temporaryFile(
    for path: String, permissions: mode_t
  ) throws(SystemFailure) -> (file: FileDescriptor, lock: FileDescriptor, path: String) {
    let (folder, name) = split(path)
    var number = 0
    while true {
      let unique = number < commonNames ? String(number) : String(UInt64.random(in: .min ... .max), radix: 36)
      let temporaryPath = folder + hiddenName(for: name, suffix: ".unfinished\(unique).tmp")
      do throws(SystemFailure) {
        let file = try UnfinishedFiles.create(temporaryPath, permissions: permissions)
        // The `umask` can forbid reading.
        let lock = (try? FileDescriptor(path: temporaryPath, for: .examining)) ?? file
        // On a file system without locks, remains are not removed.
        try? lock.lock()
        // Until the file was locked, another process could take it for remains.
        if lock === file || lock.isSameFile(as: file), file.isFile(at: temporaryPath) {
          UnfinishedFiles.replace(file, by: lock)
          return (file, lock, temporaryPath)
        }
        UnfinishedFiles.remove(file)
      } catch {
        guard error.isFileThere else { throw error }
        if !removeRemains(at: temporaryPath) { number += 1 }
      }
    }
  }

  /// The number of processes that can replace one file at the same time with temporary files whose names are known.
  private static var commonNames: Int { 16 }

  /// Removes a temporary file that a killed process has left, and returns false if the file is in use or is not known to
  /// be a temporary file of this user.
  private static func removeRemains(at path: String) -> Bool {
    let file: FileDescriptor
    do { file = try FileDescriptor(path: path, for: .examining) } catch { return error.isNoSuchFile }
    guard let status = try? file.status(), status.isRegular, status.isOwn, (try? file.lockIfFree()) == true else {
      return false
    }
    if file.isFile(at: path) { FileSystem.remove(path) }
    return true
  }

  /// Copies the extended attributes of a file to the temporary file, and returns a sentence for each property that is
  /// lost.
  private static func losses(of existing: FileStatus, at path: String, copiedTo temporaryPath: String) -> [String] {
    var losses: [String] = []
    if existing.linkCount > 1 {
      let others = existing.linkCount - 1
      let links = others == 1 ? "another hard link, which keeps" : "\(others) other hard links, which keep"
      losses.append("the file had \(links) the old contents")
    }
    // Foundation also looks up the names of the user and the group, which can take long.
    guard FileSystem.hasExtendedAttributes(path) else { return losses }
    let key = FileAttributeKey("NSFileExtendedAttributes")
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)[key] as? [String: Data]
    for (name, value) in (attributes ?? [:]).sorted(by: { $0.key < $1.key }) {
      do {
        try FileManager.default.setAttributes([key: [name: value]], ofItemAtPath: temporaryPath)
      } catch {
        // SELinux assigns a security label to each new file, so a label that cannot be copied is not a loss.
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
  /// If `mustBeNew` is true and the file exists, the method throws an error, even if another process has just created
  /// the file. On a file system without hard links, two processes that create a file at the same time can still replace
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
        // On a file system without hard links, `link` fails with an error other than `EEXIST`, even if the file exists.
        guard try FileSystem.status(of: path) == nil else { throw SystemFailure(number: EEXIST) }
        try FileSystem.move(temporaryPath, to: path)
      }
    }
    isCommitted = true
    Self.synchronizeFolder(of: path)
  }

  /// Removes the file at `path`; if the path is a symbolic link, the file that the link refers to is removed.
  package static func remove(_ path: String) throws(SystemFailure) {
    let path = resolvingLinks(path)
    try FileSystem.removeFile(path)
    synchronizeFolder(of: path)
  }

  /// Synchronizes the folder of `path` to the disk, so that a crash cannot undo the renaming or removal of a file.
  ///
  /// Some folders cannot be synchronized, so a failure to synchronize the folder is ignored.
  private static func synchronizeFolder(of path: String) {
    if let folder = try? FileDescriptor(path: split(path).folder + ".", for: .reading) { try? folder.synchronize() }
  }

  /// Returns the folder of `path`, including the last slash, and the name after the last slash.
  ///
  /// If `path` has no slash, the folder is an empty string.
  package static func split(_ path: String) -> (folder: String, name: Substring) {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return ("", path[...]) }
    let start = path.utf8.index(after: slash)
    return (String(path[..<start]), path[start...])
  }

  /// Returns the name of a hidden file that belongs to the file with the name `name`: `.NAME` and the suffix.
  ///
  /// File systems usually limit a name to 255 bytes. If the hidden name would have more than 255 bytes, `name` is
  /// replaced by its first bytes, `-` and a hash of all its bytes. The hash is the 64-bit FNV-1a hash in hexadecimal
  /// digits. FNV-1a uses no random seed, so all processes compute the same hidden name.
  package static func hiddenName(for name: Substring, suffix: String) -> String {
    let bytes = SystemPath.bytes(String(name)).dropLast().map { UInt8(truncatingIfNeeded: $0) }
    let capacity = 255 - 1 - suffix.utf8.count
    if bytes.count <= capacity { return ".\(name)\(suffix)" }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    // The name is cut before the first byte of a character, so that a name in UTF-8 remains valid UTF-8.
    var end = capacity - 17
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return ".\(SystemPath.string(Array(bytes[..<end])))-\(String(hash, radix: 16))\(suffix)"
  }

  /// If symbolic links form a cycle, the returned path is one of these links, and opening the path fails.
  package static func resolvingLinks(_ path: String) -> String {
    var path = path
    for _ in 0..<40 {
      guard let target = FileSystem.linkTarget(of: path) else { break }
      path = target.hasPrefix("/") ? target : split(path).folder + target
    }
    return path
  }
}
