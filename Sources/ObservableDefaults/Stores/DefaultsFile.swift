import Dispatch
package import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A property-list file that several processes can read and replace.
///
/// Since each writer replaces the file, writers lock a separate file in the same folder, which is never removed.
package struct DefaultsFile: Sendable {
  /// The contents of a file, and what is needed to save a value without changing the rest of the file.
  struct Version: Sendable {
    var contents: PropertyListDictionary = [:]
    var identity: FileStatus.Identity?
    /// The format of the file, or nil if there is no file or it is empty.
    var format: PlistFormat?
    fileprivate var text: Text?
  }

  fileprivate enum Text: Sendable {
    /// The bytes of a text file that has not been edited yet.
    case bytes(Data)
    /// An editor for the bytes.
    ///
    /// The editor's index is worth keeping because most saves change only one of many values. Edits accumulate in the
    /// editor, so it is replaced after ``mostEdits`` saves.
    case editor(PlistEditor, edits: Int)

    static var mostEdits: Int { 64 }
  }

  enum Layout: String {
    case dictionary
    /// A file that contains only one value, whose key is ``DefaultsFile/valueKey``.
    case value
  }

  /// The key of the value in a file that contains only one value.
  static var valueKey: String { "value" }

  package let path: String
  /// The format in which to create the file.
  let format: PlistFormat
  var layout = Layout.dictionary
  /// A semaphore to acquire before locking the file.
  ///
  /// Unlike a condition variable's, a semaphore's timeout doesn't depend on the wall clock.
  let writer = DispatchSemaphore(value: 1)

  package init(path: String, format: PlistFormat) {
    self.init(path: path, format: format, layout: .dictionary)
  }

  init(path: String, format: PlistFormat, layout: Layout) {
    self.path = path
    self.format = format
    self.layout = layout
  }

  func identity() throws(DefaultsError) -> FileStatus.Identity? {
    do { return try FileSystem.status(of: path)?.identity } catch {
      throw DefaultsError(.unreadableFile, "cannot read \(path): \(error.message)")
    }
  }
}

extension DefaultsFile {
  /// Reads the file, treating a missing one as an empty dictionary.
  ///
  /// A program that writes the file in place leaves it incomplete for a moment, so an invalid file is reread until it
  /// stops changing.
  func read() throws(DefaultsError) -> Version {
    for attempt in 0... {
      guard let (bytes, identity) = try readBytes() else { return Version() }
      var failure: PlistError?
      do {
        if !bytes.isEmpty, let version = try version(bytes, identity) { return version }
      } catch { failure = error }
      if attempt < Self.attempts {
        CurrentThread.sleep(microseconds: Self.pause)
        continue
      }
      guard try self.identity() == identity else { continue }
      // An empty file has no values to lose, so it isn't an error.
      if bytes.isEmpty { return Version(identity: identity) }
      throw DefaultsError(
        .corruptFile,
        "the file \(path) does not contain user defaults, so the file is not changed: "
          + (failure.map { "\($0)" } ?? "the root of the file is not a dictionary"),
        reason: failure)
    }
    preconditionFailure("the loop of attempts to read the file ended without a result")
  }

  /// Parses the file's bytes, or returns nil if their root isn't a dictionary.
  private func version(_ bytes: Data, _ identity: FileStatus.Identity) throws(PlistError) -> Version? {
    var options = PlistReadOptions()
    var format = PlistFormat(detecting: bytes)
    // A single number or string is valid both as JSON and as OpenStep text; reading it as JSON keeps its type.
    if layout == .value, format == .openStep, self.format != .openStep, self.format != .gnuStep {
      options.format = .json
      if let value = try? PropertyList(parsing: bytes, options: options) {
        return Version(
          contents: [Self.valueKey: value], identity: identity, format: .json, text: .bytes(bytes))
      }
      options.format = nil
    }
    // GNUstep's typed values begin with `<*`; without them, its text looks like OpenStep's.
    if format == .openStep, bytes.firstRange(of: Data("<*".utf8)) != nil { format = .gnuStep }
    options.format = format == .gnuStep ? format : nil
    guard let contents = contents(of: try PropertyList(parsing: bytes, options: options)) else { return nil }
    return Version(
      contents: contents, identity: identity, format: format ?? self.format,
      text: format == .binary ? nil : .bytes(bytes))
  }

  private func contents(of propertyList: PropertyList) -> PropertyListDictionary? {
    layout == .dictionary ? propertyList.dictionary : [Self.valueKey: propertyList]
  }

  private static var attempts: Int { 4 }
  /// The pause between attempts, in microseconds.
  private static var pause: UInt32 { 5_000 }

  private func readBytes() throws(DefaultsError) -> (Data, FileStatus.Identity)? {
    if let status = try? FileSystem.status(of: path), !status.isRegular {
      // Opening a named pipe could block.
      throw DefaultsError(.unreadableFile, "cannot read \(path): only regular files can be read")
    }
    do throws(SystemFailure) {
      // Get the identity before reading the bytes. If another program writes the file in place in between, the next
      // read will find a different identity and read the bytes again.
      guard try FileSystem.status(of: path) != nil else { return nil }
      let file = try FileDescriptor(path: path, for: .reading)
      let identity = try file.status().identity
      guard let bytes = try file.contents(limit: PlistLimits().readByteCount) else {
        throw SystemFailure.fileTooLarge
      }
      return (bytes, identity)
    } catch {
      if error.isNoSuchFile { return nil }
      throw DefaultsError(.unreadableFile, "cannot read \(path): \(error.message)")
    }
  }
}

// Keeping copies of data that is about to be lost.
extension DefaultsFile {
  /// Copies the file, for example to `settings.plist.corrupt`, unless there is already a copy with the same bytes.
  ///
  /// Further copies are numbered up to 1,000. Returns false if there are already that many, or if copying fails.
  private func keepCopy(of bytes: Data, suffix: String) -> Bool {
    for number in 1...1000 {
      let copy = "\(path).\(suffix)\(number == 1 ? "" : "-\(number)")"
      if FileManager.default.fileExists(atPath: copy) {
        let kept = try? FileDescriptor(path: copy, for: .reading).contents(limit: bytes.count)
        if kept == bytes { return true }
      } else {
        let file = AtomicFile.resolvingLinks(path)
        return (try? FileManager.default.copyItem(atPath: file, toPath: copy)) != nil
      }
    }
    return false
  }

  /// Copies a single-value file, for example to `document.json.undecodable`, if it still contains the value
  /// `undecodable`.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read or copied.
  func keepCopy(if undecodable: PropertyList) throws(DefaultsError) {
    guard try read().contents[Self.valueKey] == undecodable, let (bytes, _) = try readBytes() else { return }
    guard keepCopy(of: bytes, suffix: "undecodable") else {
      throw DefaultsError(
        .unwritableFile, "cannot replace the value in \(path), which has another type: a copy of it cannot be made")
    }
  }

  /// Removes the corrupt file with the given identity, unless another program has changed it.
  ///
  /// The caller must have locked the file.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be copied or removed.
  func removeCorruptFile(_ identity: FileStatus.Identity?) throws(DefaultsError) {
    guard let (bytes, current) = try readBytes(), current == identity else { return }
    guard keepCopy(of: bytes, suffix: "corrupt") else {
      throw DefaultsError(.unwritableFile, "cannot discard \(path): a copy of the file cannot be made")
    }
    try remove()
  }

  /// Removes the file, if there is one; the caller must have locked it.
  private func remove() throws(DefaultsError) {
    do { try AtomicFile.remove(path) } catch {
      if !error.isNoSuchFile { throw DefaultsError(.unwritableFile, "cannot remove \(path): \(error.message)") }
    }
  }
}

extension DefaultsFile {
  /// Returns a value as it would be read back from a file in the given format.
  ///
  /// For example, a date in XML or GNUstep text loses its fraction of a second.
  ///
  /// - Throws: `PlistError` if the format cannot represent the value, and ``DefaultsError`` if the value is nested too
  ///   deeply.
  func published(_ value: PropertyList, for key: String, in format: PlistFormat) throws -> PropertyList {
    try value.checkDepth(of: key, containersAround: layout == .dictionary ? 1 : 0)
    guard let bytes = try bytes(of: [key: value], in: format), format != .binary else { return value }
    let options = PlistReadOptions(format: format)
    return try contents(of: PropertyList(parsing: bytes, options: options))?[key] ?? value
  }

  /// Returns the bytes of a file with the given contents, or nil for a single-value file without a value.
  ///
  /// - Throws: `PlistError` if the format cannot represent a value.
  private func bytes(of contents: PropertyListDictionary, in format: PlistFormat) throws -> Data? {
    let root = layout == .dictionary ? .dictionary(contents) : contents[Self.valueKey]
    return try root?.data(format: format)
  }

  /// Replaces the file and waits until the new file is on disk; the caller must have locked the file.
  ///
  /// In a text file, only the values for `keys` change; comments, order, layout and encoding stay the same.
  ///
  /// - Returns: The new version, which is empty if no value is left and the file was removed.
  func replace(
    _ old: Version, with contents: PropertyListDictionary, changing keys: some Sequence<String>
  ) throws -> Version {
    var new = old
    new.contents = contents
    if layout == .value, contents[Self.valueKey] == nil {
      try remove()
      return Version()
    }
    let bytes: Data
    if let text = old.text, let format = old.format {
      var (editor, edits): (PlistEditor, Int)
      switch text {
      case .editor(let known, let count): (editor, edits) = (known, count + 1)
      case .bytes(let bytes):
        (editor, edits) = (try PlistEditor(parsing: bytes, options: PlistReadOptions(format: format)), 1)
      }
      for key in keys { try change(&editor, key, from: old.contents[key], to: contents[key]) }
      bytes = editor.data
      new.text = edits < Text.mostEdits ? .editor(editor, edits: edits) : .bytes(bytes)
    } else {
      let format = old.format ?? format
      bytes = try self.bytes(of: contents, in: format) ?? Data()
      new.format = format
      new.text = format == .binary ? nil : .bytes(bytes)
    }
    new.identity = try write(bytes)
    return new
  }

  private func write(_ bytes: Data) throws(DefaultsError) -> FileStatus.Identity {
    do throws(SystemFailure) {
      if try FileSystem.isWritable(path) {
        let file = try AtomicFile(replacing: path, permissions: 0o600)
        try file.write(bytes.bytes)
        let identity = try file.status.identity
        try file.commit()
        return identity
      }
    } catch {
      throw DefaultsError(.unwritableFile, "cannot write \(path): \(error.message)")
    }
    throw DefaultsError(.unwritableFile, "cannot write \(path): its permissions do not allow writing")
  }

  /// Changes only what differs between two values, so that the rest of a nested value also keeps its layout.
  private func change(
    _ editor: inout PlistEditor, _ key: String, from old: PropertyList?, to new: PropertyList?
  ) throws(PlistError) {
    let path = layout == .dictionary ? [key] : []
    guard let old, let new else {
      let path = PropertyListPath(components: path)
      if let new { try editor.set(new, at: path) } else if old != nil { try editor.remove(at: path) }
      return
    }
    for change in new.difference(from: old) {
      let path = PropertyListPath(components: path + change.path.components)
      switch (change.oldValue, change.newValue) {
      case (nil, let value?): try editor.insert(value, at: path)
      case (_, let value?): try editor.set(value, at: path)
      case (_, nil): try editor.remove(at: path)
      }
    }
  }
}

extension DefaultsFile {
  /// How long a writer waits for the file lock, in seconds.
  static var lockLimit: TimeInterval { 10 }

  /// Runs `body` with the file locked against other processes and other stores in this process.
  ///
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/lockedFile`` if another process or thread keeps the
  /// file locked for more than ten seconds.
  package func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    let end = ContinuousClock.now + .seconds(Self.lockLimit)
    guard writer.wait(timeout: .now() + Self.lockLimit) == .success else { throw isLocked }
    defer { writer.signal() }
    let lock: FileLock?
    do {
      try createFolder()
      lock = try FileLock(of: path, before: end)
    } catch {
      throw DefaultsError(.unwritableFile, "cannot lock \(path): \(error.message)")
    }
    guard let lock else { throw isLocked }
    return try withExtendedLifetime(lock) { try body() }
  }

  private var isLocked: DefaultsError {
    DefaultsError(
      .lockedFile,
      "cannot write \(path): another process or thread has kept the file locked for \(Int(Self.lockLimit)) seconds")
  }

  /// Creates the file's folder, if it doesn't exist.
  ///
  /// If that fails, opening the lock file throws an error that explains why.
  private func createFolder() throws(SystemFailure) {
    let (folder, _) = AtomicFile.split(AtomicFile.resolvingLinks(path))
    if !folder.isEmpty, try FileSystem.status(of: folder) == nil {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
  }
}
