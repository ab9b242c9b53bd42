import Foundation
import Plist

/// A property-list file that several processes read and replace.
///
/// Those who write take turns by locking a file beside it, which stays; the file itself cannot be locked, as each writer
/// puts another in its place.
struct DefaultsFile: Sendable {
  /// The contents, and the state of the file that they were read from; nil where there is no file.
  typealias Reading = (contents: PropertyListDictionary, identity: FileStatus.Identity?)

  /// What the file holds.
  enum Layout: String {
    /// A dictionary of all values by key.
    case dictionary
    /// One value, whose key is ``DefaultsFile/valueKey``.
    case value
  }

  /// The key of the only value of a file that has one.
  static var valueKey: String { "value" }

  let path: String
  let format: PlistFormat
  var layout = Layout.dictionary
  /// Held by the thread that locks the file.
  let writer = NSLock()
  /// The copy of an unreadable file that was kept last, which may be the first part of a file that was being written.
  private let lastCopy = Guarded<(path: String, bytes: Data)?>(nil)

  init(path: String, format: PlistFormat, layout: Layout = .dictionary) {
    self.path = path
    self.format = format
    self.layout = layout
  }

  /// The state that the file is in now, or nil where there is none.
  func identity() throws(DefaultsError) -> FileStatus.Identity? {
    do { return try FileSystem.status(of: path)?.identity } catch {
      throw DefaultsError(.unreadableFile, "cannot read \(path): \(error.message)")
    }
  }

  /// Reads the file; where there is none, as an empty one.
  ///
  /// Whoever writes in place leaves the file without its end for a moment. So a file that is no property list is looked
  /// at again until it stays as it is.
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
      // Nothing can be lost where there is nothing: an empty file is as good as none.
      if bytes.isEmpty { return ([:], identity) }
      let copy = keepCopy(of: bytes)
      throw DefaultsError(
        .corruptFile,
        "\(path) is no property list that keeps defaults, and is left as it is\(copy.map { "; copied to \($0)" } ?? ""): "
          + (failure.map { "\($0)" } ?? "its root is no dictionary"),
        reason: failure)
    }
    preconditionFailure("the loop does not end")
  }

  private func contents(of propertyList: PropertyList) -> PropertyListDictionary? {
    layout == .dictionary ? propertyList.dictionary : [Self.valueKey: propertyList]
  }

  private static var attempts: Int { 4 }
  /// In microseconds.
  private static var pause: UInt32 { 5_000 }

  private func readBytes() throws(DefaultsError) -> (Data, FileStatus.Identity)? {
    if let status = try? FileSystem.status(of: path), !status.isRegular {
      // Opening a pipe would wait for a writer.
      throw DefaultsError(.unreadableFile, "cannot read \(path): it is not a regular file")
    }
    do throws(SystemFailure) {
      // Of a writer in place, the bytes may be newer than the state, never older: they are read again then.
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

  /// Keeps a copy of what cannot be read, as `settings.plist.corrupt`, and returns its path.
  ///
  /// Copies of other bytes are kept too, with a number.
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

  /// Removes the copy that was kept last if the file turns out to have been written slowly in place.
  private func removeCopy(ofPartOf bytes: Data) {
    guard let copy = lastCopy.withLock(\.self), bytes.starts(with: copy.bytes) else { return }
    lastCopy.withLock { $0 = nil }
    try? FileManager.default.removeItem(atPath: copy.path)
  }

  /// Replaces the file, which whoever calls has locked, and waits until it is on the disk.
  ///
  /// - Returns: The state of the new file; nil where there is none, as it would hold no value.
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
