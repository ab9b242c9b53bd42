public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A defaults store in a property-list file, which several processes can share.
///
/// `PropertyListFileStore` is the standard store on Linux.
///
/// ```swift
/// let store = PropertyListFileStore(url: url)
/// let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
/// fontSize.value = 14  // in the file when the assignment returns
/// ```
///
/// The store caches all values in memory; reading a value asks the system only whether the file has changed. A store with
/// subscribers also detects changes by other processes, within milliseconds, and notifies subscribers of exactly the
/// changed keys. Where the system reports no changes, as on network file systems and single files that are mounted into
/// a container, or if a folder or a link of the path has been replaced, the store notices within about a second.
///
/// **Writing.** Each save locks the file against other writers, reads the changes by other processes, and changes only
/// the saved keys. A save writes a new file, which atomically replaces the old file after the new file is on disk.
/// Processes that write different keys never lose each other's changes. If a process is killed during a save, the file
/// is either the complete old file or the complete new file.
///
/// A save preserves a symbolic link to the file. A new version of the file keeps the permissions of the old file, and
/// the owner if the process is allowed to set the owner. Only the owner can access a file that the store creates. To
/// prevent simultaneous saves, the store locks a hidden file in the same folder, with a name such as
/// `.settings.plist.lock`. If a suspended process holds the lock of the file, a save by another process throws an error
/// after ten seconds.
///
/// **Formats.** A file keeps its format. In a text file, that is XML, JSON or OpenStep text, a save changes nothing but
/// the saved values: comments, order, layout and encoding stay. A value that the file's format cannot hold is an error;
/// it is never converted. A saved value is visible in the form that the file gives back: XML has no fractions of a
/// second, so the fraction of a date is dropped, unless the file is binary.
///
/// **Unreadable files.** The store does not treat an unreadable file as an empty file. For an unreadable file, every
/// method of the store throws an error, and the store writes nothing. To discard an invalid file and start without
/// values, call ``discardUnreadableFile()``, which keeps a copy.
///
/// Stores with the same path and the same options share all values, including the unsaved values. If stores use the
/// same file with different options, or reach the file through different symbolic links, the stores exchange changes
/// through the file.
public final class PropertyListFileStore: OwnStore {
  /// A policy that determines when a store writes values to its file.
  ///
  /// ```swift
  /// let store = PropertyListFileStore(url: url, saving: .debounced(.seconds(60)))
  /// for page in 1...100 { try store.save(PropertyList(page), for: "page") }  // in memory
  /// try store.flush()  // in the file
  /// ```
  public struct Saving: Hashable, Sendable {
    let delay: Duration?

    /// A call that sets a value returns only after the store has written the value.
    public static let immediately = Saving(delay: nil)

    /// The store writes several values together, a short time after the first unsaved value was set.
    ///
    /// The store also writes unsaved values when ``PropertyListFileStore/flush()`` is called, and when the process
    /// exits. When the last store with the same path and options is released, the store writes unsaved values too. A
    /// process that is killed loses unsaved values.
    public static func debounced(_ delay: Duration = .milliseconds(200)) -> Saving { Saving(delay: delay) }
  }

  /// The URL of the store's file; the file need not exist.
  public let url: URL
  /// The format of a file that the store creates; an existing file keeps its format.
  public let format: PlistFormat
  /// The policy that determines when the store writes values to the file.
  public let saving: Saving
  /// The identity of the store, which consists of the file's path and the store's options.
  public let identity: DefaultsStoreIdentity

  private let cache: PropertyListFileCache
  private static let caches = WeakRegistry<DefaultsStoreIdentity, PropertyListFileCache>()

  /// Creates a store in a file.
  ///
  /// The store reads the file when a value is first loaded.
  ///
  /// - Parameters:
  ///   - url: The file's URL. The store creates the file and its folder when a value is first saved.
  ///   - format: The format of a new file: XML, which people can read and edit, or binary, which keeps fractions of a
  ///     second.
  ///   - saving: The policy that determines when the store writes values to the file.
  /// - Precondition: `url` is a file URL.
  public convenience init(url: URL, format: PlistFormat = .xml, saving: Saving = .immediately) {
    self.init(url: url, format: format, saving: saving, layout: .dictionary)
  }

  init(url: URL, format: PlistFormat, saving: Saving, layout: DefaultsFile.Layout) {
    precondition(url.isFileURL, "\(url.absoluteString) is not the URL of a file")
    self.url = url
    self.format = format
    self.saving = saving
    let name = url.standardizedOutsideLinks.path
    identity = DefaultsStoreIdentity(
      kind: "\(layout.rawValue) \(format) \(saving.delay.map { "\($0)" } ?? "")", name: name)
    cache = Self.caches.object(for: identity) {
      PropertyListFileCache(DefaultsFile(path: url.path, format: format, layout: layout), delay: saving.delay)
    }
    cache.addStore()
  }

  deinit { cache.removeStore() }

  /// Creates a store in the file in which Foundation on Linux keeps the user defaults of a domain.
  ///
  /// The file is `<domain>.plist` in the folder that `XDG_CONFIG_HOME` names, or in `~/.config`.
  ///
  /// - Parameters:
  ///   - domain: The domain's name, such as `org.example.editor`.
  ///   - format: The format of a new file: XML, which people can read and edit, or binary, which keeps fractions of a
  ///     second.
  ///   - saving: The policy that determines when the store writes values to the file.
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/invalidName`` if the domain's name would lead to
  ///   another folder.
  public convenience init(
    domain: String, format: PlistFormat = .xml, saving: Saving = .immediately
  ) throws(DefaultsError) {
    try self.init(url: DefaultsFolder.file(of: domain), format: format, saving: saving)
  }

  /// Returns the value of a key, or nil if the key has no value.
  ///
  /// The store reads the file once, and again after each change of the file, for which it asks the system at each call.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read.
  public func load(_ key: String) throws -> PropertyList? { try cache.load(key) }

  /// All values in the store, by key.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read.
  public var contents: PropertyListDictionary { get throws { try cache.contents } }

  /// Calls a closure after each change of a value in the store.
  ///
  /// The store observes the file while the store has subscribers.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    cache.subscribe(handler)
  }
}

extension PropertyListFileStore {
  /// Stores a value for a key; nil removes the key.
  ///
  /// The property ``saving`` determines when the store writes the file. The store does not write a value that is
  /// already stored.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read or written. ``DefaultsError`` with the code
  ///   ``DefaultsError/Code/unstorableValue`` if the value has more than 511 nested containers, since readers would not
  ///   accept the file. `PlistError` if the file's format cannot represent the value. With ``Saving/debounced(_:)``,
  ///   ``flush()`` throws the errors that occur when the store writes the file.
  public func save(_ value: PropertyList?, for key: String) throws { try cache.save(value, for: key) }

  /// Changes several values atomically: the file gets all the changes or none.
  ///
  /// Even with ``Saving/debounced(_:)``, the store writes the file immediately.
  ///
  /// - Throws: An error that `body` throws, or an error that ``save(_:for:)`` throws.
  public func update(_ body: (inout DefaultsBatch) throws -> Void) throws { try update(body, didStore: {}) }

  package func update(_ body: (inout DefaultsBatch) throws -> Void, didStore: () -> Void) throws {
    try cache.update(body, didStore: didStore)
  }

  /// Writes all unsaved values to the file, and reads the changes by other processes.
  ///
  /// - Throws: One of the errors of ``save(_:for:)`` if the file cannot be read or written. Values that the store could
  ///   not write stay in memory until the next attempt to write the file.
  public func flush() throws { try cache.flush() }

  /// The error of the last delayed write, or nil if that write succeeded.
  ///
  /// After a failed write, the store keeps the values in memory and tries again every second. Until then,
  /// ``SharedReference/error`` of these values is this error too.
  public var savingFailure: (any Error)? { cache.savingFailure }

  /// Discards a corrupt file, so that the store starts without values.
  ///
  /// The store first makes a copy in the same folder, and appends `.corrupt` to its name. If the file is readable, the
  /// method does not change the file. If a ``SharedReference`` could not store its value while the file was corrupt, the reference
  /// stores the value after the file has been discarded.
  ///
  /// The method removes only a file that the store was able to read and found corrupt. For example, the method does not
  /// remove a folder, or a file that the process is not allowed to read.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read, copied or removed.
  public func discardUnreadableFile() throws { try cache.discardUnreadableFile() }
}

extension PropertyListFileStore {
  package var keepsJSON: Bool { cache.fileFormat == .json }

  package func save(
    _ value: PropertyList?, for key: String, keeping undecodable: PropertyList?, didStore: () -> Void
  ) throws {
    if undecodable != nil, cache.file.layout == .dictionary {
      return try update({ $0.set(value, for: key, keeping: undecodable) }, didStore: didStore)
    }
    if let undecodable { try cache.file.keepCopy(if: undecodable) }
    try cache.save(value, for: key, didStore: didStore)
  }

  package func shows(_ value: PropertyList, for key: String) -> Bool {
    failure(of: key) == nil && (cache.fileFormat == .binary || (try? load(key)) == value)
  }

  package func failure(of key: String) -> (any Error)? { cache.failure(of: key) }

  package func subscribeToFailures(
    _ handler: @escaping @Sendable (Set<String>) -> Void
  ) -> DefaultsSubscription? { cache.failureSubscribers.add(handler) }
}

extension URL {
  /// The standardized form of this URL, or the unchanged URL if its path contains `..`.
  ///
  /// If `..` follows a symbolic link, standardizing the path would make the path lead to another file. Symbolic links
  /// in the path are not resolved, since the target of a symbolic link can change.
  var standardizedOutsideLinks: URL { pathComponents.contains("..") ? self : standardizedFileURL }
}
