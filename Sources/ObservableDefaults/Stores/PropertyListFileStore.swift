public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store in a property-list file, which several processes can share; the standard store on Linux.
///
/// ```swift
/// let store = PropertyListFileStore(url: url)
/// let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
/// fontSize.value = 14  // in the file when the assignment returns
/// ```
///
/// All values are cached in memory; reading one asks the system only whether the file has changed. While the store has
/// subscribers, it notices changes by other processes within milliseconds, and reports exactly the changed keys. It
/// takes about a second where the system reports nothing, as on network file systems and for single files that are
/// mounted into a container, and after a folder or a link in the path has been replaced.
///
/// **Writing.** Each save locks the file against other writers, reads what others have changed, and changes only its
/// own keys, so processes that write different keys lose nothing. Once the new file is on disk, it atomically replaces
/// the old one: a process that is killed leaves either the old file or the complete new one.
///
/// A symbolic link to the file stays a link, and the file keeps its permissions and, if the process may set it, its
/// owner. Only its owner can access a file that the store creates. The lock is a hidden file in the same folder, such
/// as `.settings.plist.lock`; if a suspended process holds it, the saves of others throw an error after ten seconds.
///
/// **Formats.** A file keeps its format. In a text file, that is XML, JSON or OpenStep text, a save changes nothing but
/// the saved values: comments, order, layout and encoding stay. Saving a value that the file's format cannot represent
/// is an error; values are never converted to another type. After a save, you get the value that
/// would be read back from the file: XML has no fractions of a second, so a date loses its fraction unless the file is
/// binary.
///
/// **Unreadable files.** A file that cannot be read does not count as empty: every method throws an error, and nothing is
/// written. To discard an invalid file and start without values, call ``discardUnreadableFile()``, which keeps a copy.
///
/// Stores with the same path and options share all values, including unsaved ones. Stores with other options, or with
/// the path of another symbolic link, exchange changes through the file.
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

    /// A value is written when the call that sets it returns.
    public static let immediately = Saving(delay: nil)

    /// Values are written together, a short time after the first was set.
    ///
    /// They are also written by ``PropertyListFileStore/flush()``, when the process exits, and when the last store with
    /// the same path and options is released. A process that is killed loses them.
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
  ///   - format: The format of a new file, such as XML, which people can read and edit, or binary, which keeps
  ///     fractions of a second.
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
  ///   - format: The format of a new file, such as XML, which people can read and edit, or binary, which keeps
  ///     fractions of a second.
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
  /// The file is read once, and again after it has changed; each call asks the system whether it has.
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
  /// The property ``saving`` determines when the file is written. A value that is already stored is not written again.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read or written. ``DefaultsError`` with the code
  ///   ``DefaultsError/Code/unstorableValue`` if the value has more than 511 nested containers, since readers would not
  ///   accept the file. `PlistError` if the file's format cannot represent the value. With ``Saving/debounced(_:)``,
  ///   ``flush()`` throws the errors that occur when the store writes the file.
  public func save(_ value: PropertyList?, for key: String) throws { _ = try cache.save(value, for: key) }

  /// Changes several values atomically: the file gets all the changes or none.
  ///
  /// Even with ``Saving/debounced(_:)``, the file is written at once.
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
  /// The store keeps the values and tries again after a second, or after its delay if that is longer. Until it
  /// succeeds, this is also the ``SharedReference/error`` of these values.
  public var savingFailure: (any Error)? { cache.savingFailure }

  /// Discards a corrupt file, so that the store starts without values.
  ///
  /// A copy stays in the same folder, with `.corrupt` after its name. Each ``SharedReference`` that could not store its
  /// value stores it then.
  ///
  /// Only a corrupt file is removed, and only after it has been read; a folder, a valid file or a file without read
  /// permission stays.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read, copied or removed.
  public func discardUnreadableFile() throws { try cache.discardUnreadableFile() }
}

extension PropertyListFileStore {
  package var keepsJSON: Bool { cache.fileFormat == .json }

  package func save(
    _ value: PropertyList?, for key: String, keeping undecodable: PropertyList?, didStore: () -> Void
  ) throws -> Bool {
    if undecodable != nil, cache.file.layout == .dictionary {
      try update({ $0.set(value, for: key, keeping: undecodable) }, didStore: didStore)
      return false
    }
    if let undecodable { try cache.file.keepCopy(if: undecodable) }
    return try cache.save(value, for: key, didStore: didStore)
  }

  package func failure(of key: String) -> (any Error)? { cache.failure(of: key) }

  package func subscribeToFailures(
    _ handler: @escaping @Sendable (Set<String>) -> Void
  ) -> DefaultsSubscription? { cache.failureSubscribers.add(handler) }
}

extension URL {
  /// The standardized URL, or the URL itself if its path contains `..`, which leads elsewhere after a symbolic link.
  ///
  /// Links are not resolved, since their targets can change.
  var standardizedOutsideLinks: URL { pathComponents.contains("..") ? self : standardizedFileURL }
}
