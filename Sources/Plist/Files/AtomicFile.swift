#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Android)
package import Android
#else
package import Darwin
#endif

/// A file that is being written and takes its place, whole, only at the end.
///
/// The bytes go to a temporary file in the same folder, which is synchronized to the disk and then renamed. A symbolic
/// link stays one, its target is replaced; a file that exists keeps its permissions and, where the process may give
/// files away, its owner. What is neither a file nor missing, such as a pipe or a device, is written to directly.
package final class AtomicFile {
  private let path: String
  private let temporaryPath: String?
  private let file: FileDescriptor
  private var isCommitted = false

  /// Prepares to replace the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The path, which may lead over symbolic links.
  ///   - permissions: Those of a file that does not exist yet, less the process's mask.
  ///   - suffix: What tells the temporary file from others: a random text, unless all who replace the file take turns
  ///     and agree on one, so that whoever comes after a process that was killed replaces what it left.
  /// - Throws: `SystemFailure` where no file can be written there.
  package init(replacing path: String, permissions: mode_t = 0o666, suffix: String? = nil) throws(SystemFailure) {
    let existing = try FileSystem.status(of: path)
    if let existing, !existing.isRegular {
      // As it is given: the link /dev/stdout leads to a pipe that has no other name.
      self.path = path
      temporaryPath = nil
      file = try FileDescriptor(path: self.path, for: .writing)
      return
    }
    self.path = Self.resolvingLinks(path)
    let (folder, name) = Self.split(self.path)
    let temporaryPath =
      "\(folder).\(name.prefix(200)).\(suffix ?? String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
    if suffix != nil { FileSystem.remove(temporaryPath) }
    file = try FileDescriptor(path: temporaryPath, for: .creating(permissions: existing == nil ? permissions : 0o600))
    self.temporaryPath = temporaryPath
    if let existing {
      do { try file.adopt(existing) } catch {
        FileSystem.remove(temporaryPath)
        throw error
      }
    }
  }

  deinit {
    if let temporaryPath, !isCommitted { FileSystem.remove(temporaryPath) }
  }

  /// What the system knows about the file so far.
  package var status: FileStatus { get throws(SystemFailure) { try file.status() } }

  /// Writes the next bytes.
  package func write(_ bytes: RawSpan) throws(SystemFailure) {
    if let failure = file.write(bytes) { throw failure }
  }

  /// Puts the file in its place.
  package func commit() throws(SystemFailure) {
    guard let temporaryPath else { return }
    try file.synchronize()
    try FileSystem.rename(temporaryPath, to: path)
    isCommitted = true
    // The new name must survive a crash too; folders that cannot be synchronized have to do without.
    if let folder = try? FileDescriptor(path: Self.split(path).folder + ".", for: .reading) {
      try? folder.synchronize()
    }
  }

  /// The folder of `path` with its last slash, or nothing, and the name in it.
  package static func split(_ path: String) -> (folder: String, name: Substring) {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return ("", path[...]) }
    let start = path.utf8.index(after: slash)
    return (String(path[..<start]), path[start...])
  }

  /// The path that the symbolic links at `path` lead to; where it leads in circles, opening it will fail.
  package static func resolvingLinks(_ path: String) -> String {
    var path = path
    for _ in 0..<40 {
      guard let target = FileSystem.linkTarget(of: path) else { break }
      path = target.hasPrefix("/") ? target : split(path).folder + target
    }
    return path
  }
}
