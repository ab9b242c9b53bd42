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
/// written directly to the special file.
package final class AtomicFile {
  private let path: String
  private let temporaryPath: String?
  private let file: FileDescriptor
  private var isCommitted = false
  /// Sentences for the user about properties of the old file that the new file does not have: extended attributes and
  /// hard links.
  package private(set) var losses: [String] = []

  /// The `permissions` of a new file are reduced by the process's `umask`.
  ///
  /// The name of the temporary file contains `suffix`, or random text if `suffix` is nil. If a lock ensures that only
  /// one process replaces the file at any time, all processes can use the same suffix. If a process is killed, the next
  /// process that uses the same suffix removes the temporary file of the killed process.
  package init(replacing path: String, permissions: mode_t = 0o666, suffix: String? = nil) throws(SystemFailure) {
    let existing = try FileSystem.status(of: path)
    if let existing, !existing.isRegular {
      // For special files, symbolic links are not resolved, because a link such as `/dev/stdout` can lead to a pipe
      // that has no path of its own.
      self.path = path
      temporaryPath = nil
      file = try FileDescriptor(path: self.path, for: .writing)
      return
    }
    self.path = Self.resolvingLinks(path)
    let (folder, name) = Self.split(self.path)
    let unique = suffix ?? String(UInt64.random(in: .min ... .max), radix: 36)
    let temporaryPath = folder + Self.hiddenName(for: name, suffix: ".\(unique).tmp")
    if suffix != nil { FileSystem.remove(temporaryPath) }
    UnfinishedFiles.add(temporaryPath)
    do {
      file = try FileDescriptor(path: temporaryPath, for: .creating(permissions: existing == nil ? permissions : 0o600))
    } catch {
      UnfinishedFiles.remove(temporaryPath)
      throw error
    }
    self.temporaryPath = temporaryPath
    if let existing {
      do { try file.adopt(existing) } catch {
        Self.discard(temporaryPath)
        throw error
      }
      losses = Self.losses(of: existing, at: self.path, copiedTo: temporaryPath)
    }
  }

  private static func discard(_ temporaryPath: String) {
    FileSystem.remove(temporaryPath)
    UnfinishedFiles.remove(temporaryPath)
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
    if let temporaryPath, !isCommitted { Self.discard(temporaryPath) }
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
    if mustBeNew {
      do {
        try FileSystem.addName(path, to: temporaryPath)
        FileSystem.remove(temporaryPath)
      } catch {
        // On a file system without hard links, `link` fails with an error other than `EEXIST`, even if the file exists.
        guard try FileSystem.status(of: path) == nil else { throw SystemFailure(number: EEXIST) }
        try FileSystem.move(temporaryPath, to: path)
      }
    } else {
      try FileSystem.move(temporaryPath, to: path)
    }
    UnfinishedFiles.remove(temporaryPath)
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
