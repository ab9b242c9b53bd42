import Foundation
import Plist

/// A property-list file that several processes read and replace.
///
/// Writers lock a separate lock file in the same folder, and never remove the lock file. Locking the property-list file
/// itself would not work, because each writer replaces the property-list file.
struct DefaultsFile: Sendable {
  typealias Reading = (contents: PropertyListDictionary, identity: FileStatus.Identity?)

  enum Layout: String {
    case dictionary
    /// A file with one value, whose key is ``DefaultsFile/valueKey``.
    case value
  }

  /// The key of the value in a file that contains only one value.
  static var valueKey: String { "value" }

  let path: String
  let format: PlistFormat
  var layout = Layout.dictionary
  /// A lock that a thread acquires before the thread locks the file.
  let writer = NSLock()
  /// The path and the contents of the last copy of an unreadable file.
  ///
  /// A copy that the store made while another program was writing the file contains only the beginning of the file.
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

  /// Reads the file; a missing file counts as an empty dictionary.
  ///
  /// A program that writes the file in place leaves the file incomplete for a moment. The method reads an
  /// invalid file again until the file stops changing.
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
      // An empty file counts as an empty dictionary, since an empty file contains no data to lose.
      if bytes.isEmpty { return ([:], identity) }
      let copy = keepCopy(of: bytes).map { " (a copy is at \($0))" } ?? ""
      throw DefaultsError(
        .corruptFile,
        "the file \(path) does not contain user defaults, so the file is not changed\(copy): "
          + (failure.map { "\($0)" } ?? "the root of the file is not a dictionary"),
        reason: failure)
    }
    preconditionFailure("the loop of attempts to read the file ended without a result")
  }

  private func contents(of propertyList: PropertyList) -> PropertyListDictionary? {
    layout == .dictionary ? propertyList.dictionary : [Self.valueKey: propertyList]
  }

  private static var attempts: Int { 4 }
  /// The pause between two attempts to read the file, in microseconds.
  private static var pause: UInt32 { 5_000 }

  private func readBytes() throws(DefaultsError) -> (Data, FileStatus.Identity)? {
    if let status = try? FileSystem.status(of: path), !status.isRegular {
      // Opening a named pipe could block, so the store opens only regular files.
      throw DefaultsError(.unreadableFile, "cannot read \(path): only regular files can be read")
    }
    do throws(SystemFailure) {
      // The file's identity is read before the file's bytes, so the bytes can be newer if another program writes the
      // file in place. If the bytes are newer than the identity, the next read finds a changed identity and reads the
      // bytes again.
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

  /// Copies a corrupt file, for example to `settings.plist.corrupt`.
  ///
  /// The store keeps up to 1,000 copies with different contents. The name of every copy except the first copy ends with
  /// a number. If all 1,000 names are used, or if copying fails, this function returns nil.
  private func keepCopy(of bytes: Data) -> String? {
    for number in 1...1000 {
      let copy = "\(path).corrupt\(number == 1 ? "" : "-\(number)")"
      if FileManager.default.fileExists(atPath: copy) {
        let kept = try? FileDescriptor(path: copy, for: .reading).contents(limit: bytes.count)
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

  /// Removes the copy of a file that another program was still writing; the file was incomplete, but not corrupt.
  private func removeCopy(ofPartOf bytes: Data) {
    guard let copy = lastCopy.withLock(\.self), bytes.starts(with: copy.bytes) else { return }
    lastCopy.withLock { $0 = nil }
    try? FileManager.default.removeItem(atPath: copy.path)
  }

  /// Removes the file, which the caller has locked; the method does nothing if there is no file.
  private func remove() throws(DefaultsError) {
    do { try AtomicFile.remove(path) } catch {
      if !error.isNoSuchFile { throw DefaultsError(.unwritableFile, "cannot remove \(path): \(error.message)") }
    }
  }

  /// Removes the corrupt file with the given identity; the caller must have locked the file.
  ///
  /// If another program has changed the file, the method does nothing.
  ///
  /// - Throws: ``DefaultsError`` if there is no copy of the file, or if the file cannot be removed.
  func removeCorruptFile(_ identity: FileStatus.Identity?) throws(DefaultsError) {
    guard let (bytes, current) = try readBytes(), current == identity else { return }
    guard keepCopy(of: bytes) != nil else {
      throw DefaultsError(.unwritableFile, "cannot discard \(path): a copy of the file cannot be made")
    }
    try remove()
  }

  /// Throws `PlistError` if the format cannot represent the value, and ``DefaultsError`` if the value is nested too
  /// deeply.
  func check(_ value: PropertyList, for key: String) throws {
    try checkDepth(of: value, for: key)
    _ = try bytes(of: [key: value])
  }

  /// Throws ``DefaultsError`` if a value is nested too deeply for the reader of the file.
  func checkDepth(of value: PropertyList?, for key: String) throws(DefaultsError) {
    try value?.checkDepth(of: key, containersAround: layout == .dictionary ? 1 : 0)
  }

  /// Returns the bytes of a file with the given contents; returns nil if the file stores a single value, and this value
  /// is missing.
  ///
  /// - Throws: `PlistError` if the format cannot represent a value.
  private func bytes(of contents: PropertyListDictionary) throws -> Data? {
    let root = layout == .dictionary ? .dictionary(contents) : contents[Self.valueKey]
    return try root?.data(format: format)
  }

  /// Replaces the file, which the caller has locked, and waits until the new file is on disk.
  ///
  /// - Returns: The identity of the new file, or nil if no value is left and the file was removed.
  func replace(with contents: PropertyListDictionary) throws -> FileStatus.Identity? {
    guard let bytes = try bytes(of: contents) else {
      try remove()
      return nil
    }
    do {
      let file = try AtomicFile(replacing: path, permissions: 0o600)
      try file.write(bytes.bytes)
      let identity = try file.status.identity
      try file.commit()
      return identity
    } catch {
      throw DefaultsError(.unwritableFile, "cannot write \(path): \(error.message)")
    }
  }
}
