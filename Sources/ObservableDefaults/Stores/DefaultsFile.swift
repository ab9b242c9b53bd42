import Foundation
import Plist

/// A property-list file that several processes read and replace.
///
/// Writers lock a second file in the same folder, and never remove this lock file. The property-list file itself cannot
/// be locked, because each writer replaces the property-list file.
struct DefaultsFile: Sendable {
  /// The identity is nil if there is no file.
  typealias Reading = (contents: PropertyListDictionary, identity: FileStatus.Identity?)

  enum Layout: String {
    case dictionary
    /// One value, whose key is ``DefaultsFile/valueKey``.
    case value
  }

  /// The key of the value in a file that contains only one value.
  static var valueKey: String { "value" }

  let path: String
  let format: PlistFormat
  var layout = Layout.dictionary
  /// A lock that a thread of this process holds while it locks the file.
  let writer = NSLock()
  /// The last copy of an unreadable file; the copy can be the beginning of a file that was still being written.
  private let lastCopy = Guarded<(path: String, bytes: Data)?>(nil)

  init(path: String, format: PlistFormat, layout: Layout = .dictionary) {
    self.path = path
    self.format = format
    self.layout = layout
  }

  func identity() throws(DefaultsError) -> FileStatus.Identity? {
    do { return try FileSystem.status(of: path)?.identity } catch {
      throw DefaultsError(.unreadableFile, "cannot read \(path): \(error.message)")
    }
  }

  /// A missing file is read as an empty dictionary.
  ///
  /// A program that writes in place leaves the file incomplete for a moment, so an invalid file is read again until the
  /// file stops changing.
  func read() throws(DefaultsError) -> Reading {
    for attempt in 0... {
      guard let (bytes, identity) = try readBytes() else { return ([:], nil) }
      var failure: PlistError?
      do {
        if !bytes.isEmpty, let contents = try contents(of: PropertyList(parsing: bytes)) {
          removeCopy(ofPartOf: bytes)
          return (contents, identity)
        }
      } catch { failure = error }
      if attempt < Self.attempts {
        usleep(Self.pause)
        continue
      }
      guard try self.identity() == identity else { continue }
      // An empty file is read as an empty dictionary, since it contains no data that could be lost.
      if bytes.isEmpty { return ([:], identity) }
      let copy = keepCopy(of: bytes).map { " (a copy is at \($0))" } ?? ""
      throw DefaultsError(
        .corruptFile,
        "the file \(path) does not contain user defaults, so it is not changed\(copy): "
          + (failure.map { "\($0)" } ?? "its root is not a dictionary"),
        reason: failure)
    }
    preconditionFailure("the loop does not end")
  }

  private func contents(of propertyList: PropertyList) -> PropertyListDictionary? {
    layout == .dictionary ? propertyList.dictionary : [Self.valueKey: propertyList]
  }

  private static var attempts: Int { 4 }
  /// The pause between two attempts, in microseconds.
  private static var pause: UInt32 { 5_000 }

  private func readBytes() throws(DefaultsError) -> (Data, FileStatus.Identity)? {
    if let status = try? FileSystem.status(of: path), !status.isRegular {
      // Opening a named pipe would wait for a process that writes to the pipe, so only regular files are opened.
      throw DefaultsError(.unreadableFile, "cannot read \(path): it is not a regular file")
    }
    do throws(SystemFailure) {
      // If another program writes in place, the bytes can be newer than the identity. The next read then finds a
      // changed identity, and reads the bytes again.
      guard try FileSystem.status(of: path) != nil else { return nil }
      let file = try FileDescriptor(path: path, for: .reading)
      let identity = try file.status().identity
      guard let bytes = try file.contents(limit: PlistLimits().maximumByteCount) else {
        throw SystemFailure.fileTooLarge
      }
      return (bytes, identity)
    } catch {
      if error.isNoSuchFile { return nil }
      throw DefaultsError(.unreadableFile, "cannot read \(path): \(error.message)")
    }
  }

  /// The copy has a name such as `settings.plist.corrupt`.
  ///
  /// Copies with different contents are all kept; numbers distinguish the names of the copies.
  private func keepCopy(of bytes: Data) -> String? {
    for number in 1...1000 {
      let copy = "\(path).corrupt\(number == 1 ? "" : "-\(number)")"
      if let kept = FileManager.default.contents(atPath: copy) {
        if kept == bytes { return copy }
      } else {
        let file = AtomicFile.resolvingLinks(path)
        guard (try? FileManager.default.copyItem(atPath: file, toPath: copy)) != nil else { return nil }
        lastCopy.withLock { $0 = (copy, bytes) }
        return copy
      }
    }
    return nil
  }

  /// A file that was still being written in place was not corrupt, so its copy is removed.
  private func removeCopy(ofPartOf bytes: Data) {
    guard let copy = lastCopy.withLock(\.self), bytes.starts(with: copy.bytes) else { return }
    lastCopy.withLock { $0 = nil }
    try? FileManager.default.removeItem(atPath: copy.path)
  }

  /// Replaces the file, which the caller has locked, and waits until the new file is on disk.
  ///
  /// - Returns: The identity of the new file; nil if the file was removed because no value is left.
  func replace(with contents: PropertyListDictionary) throws -> FileStatus.Identity? {
    let root = layout == .dictionary ? .dictionary(contents) : contents[Self.valueKey]
    guard let root else {
      try? FileManager.default.removeItem(atPath: AtomicFile.resolvingLinks(path))
      return try identity()
    }
    let bytes = try root.data(format: format)
    do {
      let file = try AtomicFile(replacing: path, permissions: 0o600, suffix: "defaults")
      try file.write(bytes.bytes)
      let identity = try file.status.identity
      try file.commit()
      return identity
    } catch {
      throw DefaultsError(.unwritableFile, "cannot write \(path): \(error.message)")
    }
  }
}
