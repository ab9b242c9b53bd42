public import Plist

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store in a property-list file that several processes can share, and the standard store on Linux.
///
/// ```swift
/// let store = PropertyListFileStore(url: url)
/// let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
/// fontSize.value = 14  // in the file when the assignment returns
/// ```
///
/// All values are cached in memory, so reading one only asks the system whether the file has changed. While the store
/// has subscribers, it detects changes made by other processes within milliseconds and reports exactly which keys
/// changed. Detection takes about a second where the system reports nothing, such as on network file systems and for
/// single files mounted into a container, and after a folder or link in the path has been replaced.
///
/// **Writing.** Each save locks the file against other writers, reads what others have changed, and changes only its
/// own keys, so processes that write different keys don't undo each other's changes. Once the new file is on disk, it
/// atomically replaces the old one, so a killed process leaves either the old file or the complete new one.
///
/// A symbolic link to the file stays a link, and the file keeps its permissions and, if the process may set it, its
/// owner. A file that the store creates is accessible only to its owner. The lock is a hidden file in the same folder,
/// such as `.settings.plist.lock`. While a suspended process holds it, saves in other processes throw an error after
/// ten seconds.
///
/// **Formats.** A file keeps its format. In a text file (XML, JSON or OpenStep), a save changes only the saved values
/// and preserves comments, order, layout and encoding. Saving a value that the file's format cannot represent throws an
/// error; values are never converted to another type. After a save, loading returns the value that would be read back
/// from the file. For example, XML has no fractions of a second, so a date in an XML file loses its fraction.
///
/// **Unreadable files.** A file that cannot be read isn't treated as empty: loading and saving throw an error, and
/// nothing is written. To discard an invalid file and start out empty, call ``discardUnreadableFile()``, which keeps a
/// copy.
///
/// Stores with the same path and options share all values, including unsaved ones. Stores with different options, or
/// whose paths go through different symbolic links, exchange changes through the file.
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

    /// Each value is written before the call that sets it returns.
    public static let immediately = Saving(delay: nil)

    /// Values are written together, a short time after the first one is set.
    ///
    /// Values are also written by ``PropertyListFileStore/flush()``, when the process exits, and when the last store
    /// with the same path and options is released. Unwritten values are lost if the process is killed.
    public static func debounced(_ delay: Duration = .milliseconds(200)) -> Saving { Saving(delay: delay) }
  }

  /// The URL of the store's file, which need not exist.
  public let url: URL
  /// The format of a file that the store creates; an existing file keeps its format.
  public let format: PlistFormat
  /// The policy that determines when the store writes values to the file.
  public let saving: Saving
  /// The identity of the store, which is determined by the file's path and the store's options.
  public let identity: DefaultsStoreIdentity

  private let cache: PropertyListFileCache
  private static let caches = WeakRegistry<DefaultsStoreIdentity, PropertyListFileCache>()

  /// Creates a store for a file.
  ///
  /// The store reads the file when a value is first loaded.
  ///
  /// - Parameters:
  ///   - url: The file's URL. The store creates the file and its folder when a value is first saved.
  ///   - format: The format of a new file, such as XML, which people can read and edit, or binary, which keeps the
  ///     fractions of a second in dates.
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

  /// Creates a store for the file in which Foundation on Linux keeps a domain's user defaults.
  ///
  /// The file is `<domain>.plist` in the folder that `XDG_CONFIG_HOME` names, or in `~/.config`.
  ///
  /// - Parameters:
  ///   - domain: The domain's name, such as `org.example.editor`.
  ///   - format: The format of a new file, such as XML, which people can read and edit, or binary, which keeps the
  ///     fractions of a second in dates.
  ///   - saving: The policy that determines when the store writes values to the file.
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/invalidName`` if the domain's name is empty or
  ///   could lead to another folder.
  public convenience init(
    domain: String, format: PlistFormat = .xml, saving: Saving = .immediately
  ) throws(DefaultsError) {
    try self.init(url: DefaultsFolder.file(of: domain), format: format, saving: saving)
  }

  /// Returns the value for a key, or nil if there is none.
  ///
  /// Each call asks the system whether the file has changed, and rereads it only if it has.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read.
  public func load(_ key: String) throws -> PropertyList? { try cache.load(key) }

  /// All values in the store, by key.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read.
  public var contents: PropertyListDictionary { get throws { try cache.contents } }

  /// Calls a closure after each change to a value in the store.
  ///
  /// The store observes the file while it has subscribers.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    cache.subscribe(handler)
  }
}

extension PropertyListFileStore {
  /// Stores a value for a key; nil removes the key.
  ///
  /// The ``saving`` policy determines when the file is written. A value that is already stored isn't written again.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read or written, or with the code
  ///   ``DefaultsError/Code/unstorableValue`` if the value has more than 511 nested containers, which readers would
  ///   reject. `PlistError` if the file's format cannot represent the value. With ``Saving/debounced(_:)``, ``flush()``
  ///   throws the errors that occur when the file is written.
  public func save(_ value: PropertyList?, for key: String) throws { _ = try cache.save(value, for: key) }

  /// Changes several values atomically, writing all of the changes or none.
  ///
  /// Even with ``Saving/debounced(_:)``, the file is written immediately.
  ///
  /// - Throws: Any error that `body` or ``save(_:for:)`` throws.
  public func update(_ body: (inout DefaultsBatch) throws -> Void) throws { try update(body, didStore: {}) }

  package func update(_ body: (inout DefaultsBatch) throws -> Void, didStore: () -> Void) throws {
    try cache.update(body, didStore: didStore)
  }

  /// Writes all unsaved values to the file and reads changes made by other processes.
  ///
  /// - Throws: Any error that ``save(_:for:)`` throws if the file cannot be read or written. Values that could not be
  ///   written stay in memory until the next attempt.
  public func flush() throws { try cache.flush() }

  /// The error from the last delayed write, or nil if that write succeeded.
  ///
  /// After a failed write, the store keeps the values and tries again after a second, or after its delay if that is
  /// longer. Until a write succeeds, references to these values also report it as their ``SharedReference/error``.
  public var savingFailure: (any Error)? { cache.savingFailure }

  /// Discards a corrupt file, so that the store starts out empty.
  ///
  /// A copy is kept in the same folder, with `.corrupt` appended to its name. Each ``SharedReference`` that could not
  /// store its value then stores it.
  ///
  /// Only a corrupt file whose bytes could be read is removed. A folder, a valid file or a file without read permission
  /// stays in place.
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
  /// The standardized URL, or the URL itself if its path contains `..`, which can lead somewhere else after a symbolic
  /// link.
  ///
  /// Symbolic links aren't resolved, since their targets can change.
  var standardizedOutsideLinks: URL { pathComponents.contains("..") ? self : standardizedFileURL }
}
