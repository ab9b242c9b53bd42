public import Foundation
public import Plist

/// A defaults store in a property-list file, which several processes can share.
///
/// `PropertyListFileStore` is the standard store on Linux.
///
/// ```swift
/// let store = PropertyListFileStore(url: url, format: .xml)
/// let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
/// fontSize.value = 14  // in the file when the assignment returns
/// ```
///
/// The store caches all values in memory. While the store has subscribers, reading a value does not access the file. A
/// store with subscribers detects changes by other processes within milliseconds, and notifies subscribers of exactly
/// the changed keys. Without subscribers, reading a value first checks whether the file has changed. Other processes
/// can replace the file or write it in place.
///
/// **Writing.** Each save locks the file against other writers, reads the changes by other processes, and changes only
/// its own keys. A save writes a new file, which atomically replaces the old file after the new file is on disk.
/// Processes that write different keys never lose each other's changes. If a process is killed during a save, the file
/// is either the complete old file or the complete new file.
///
/// A save preserves a symbolic link to the file. A new version of the file keeps the permissions of the old file, and
/// the owner if the process is allowed to set the owner. Only the owner can access a file that the store creates. To
/// prevent simultaneous saves, the store locks a hidden file in the same folder, with a name such as
/// `.settings.plist.lock`. If a suspended process holds this lock, a save by another process throws an error after ten
/// seconds.
///
/// **Unreadable files.** The store does not treat an unreadable file as an empty file. For an unreadable file, every
/// method of the store throws an error, and the store writes nothing. The store makes a copy of an invalid file in the
/// same folder, and appends `.corrupt` to the name of the copy. If the file was invalid only because another program
/// was still writing the file, the store removes the copy later. To discard an invalid file and start without values,
/// call ``discardUnreadableFile()``.
///
/// Stores of the same file share their values in memory if the stores have the same options. Stores of the same file
/// with different options exchange changes through the file.
public final class PropertyListFileStore: DefaultsStore {
  /// A policy that determines when a store writes values to its file.
  ///
  /// ```swift
  /// let store = PropertyListFileStore(url: url, saving: .debounced(.seconds(60)))
  /// for page in 1...100 { try store.save(PropertyList(page), for: "page") }  // in memory
  /// try store.flush()  // in the file
  /// ```
  public struct Saving: Hashable, Sendable {
    let delay: Duration?

    /// The store writes a value before the call that sets the value returns.
    public static let immediately = Saving(delay: nil)

    /// The store writes several values together, a short time after the first unsaved value was set.
    ///
    /// The store also writes unsaved values when ``PropertyListFileStore/flush()`` is called, when the store is
    /// released, and when the process exits. A process that is killed loses unsaved values.
    public static func debounced(_ delay: Duration = .milliseconds(200)) -> Saving { Saving(delay: delay) }
  }

  /// The URL of the store's file; the file need not exist.
  public let url: URL
  /// The format in which the store writes the file.
  ///
  /// The store reads a file in any format.
  public let format: PlistFormat
  /// The policy that determines when the store writes values to the file.
  public let saving: Saving

  let file: DefaultsFile
  let state = Guarded(State())
  let subscribers = Subscribers<DefaultsChange>()
  /// A lock that a thread must hold to read or write the file.
  ///
  /// Reading cached values does not need `fileLock`.
  let fileLock = NSLock()
  private let fileObserver: FileObserver
  /// A lock that a thread holds while it adds a subscriber and starts the observer, or stops the observer after the last
  /// subscriber.
  private let observing = NSLock()
  private let termination = Guarded<DefaultsSubscription?>(nil)

  struct State {
    /// The contents of the file at the last read or write, without unsaved values.
    var contents: PropertyListDictionary = [:]
    var identity: FileStatus.Identity?
    var isLoaded = false
    var failure: DefaultsError?
    /// The unsaved values by key, each with the number of its change; a nil value removes the key.
    var unsaved: [String: (value: PropertyList?, number: Int)] = [:]
    var lastNumber = 0
    /// The number of the latest change that the store has written to the file; all earlier changes are also in the
    /// file.
    var writtenNumber = 0
    var isFlushScheduled = false
    var savingFailure: (any Error)?
    var isWatched = false

    /// An unsaved value takes precedence over the value in the file.
    func value(of key: String) -> PropertyList? {
      if let unsaved = unsaved[key] { return unsaved.value }
      return contents[key]
    }

    var visibleContents: PropertyListDictionary {
      var contents = contents
      for (key, unsaved) in unsaved { contents[key] = unsaved.value }
      return contents
    }
  }

  /// Creates a store in a file.
  ///
  /// The store reads the file when a value is first loaded.
  ///
  /// - Parameters:
  ///   - url: The file's URL. The store creates the file and its folder when a value is first saved.
  ///   - format: The format in which the store writes the file: XML or binary.
  ///   - saving: The policy that determines when the store writes values to the file.
  /// - Precondition: `url` is a file URL.
  public convenience init(url: URL, format: PlistFormat = .binary, saving: Saving = .immediately) {
    self.init(url: url, format: format, saving: saving, layout: .dictionary)
  }

  init(url: URL, format: PlistFormat, saving: Saving, layout: DefaultsFile.Layout) {
    precondition(url.isFileURL, "\(url.absoluteString) is not the URL of a file")
    self.url = url
    self.format = format
    self.saving = saving
    file = DefaultsFile(path: url.path, format: format, layout: layout)
    fileObserver = FileObserver(path: url.path)
    guard saving.delay != nil else { return }
    let subscription = TerminationSignal.subscribe { [weak self] in try? self?.writeUnsaved() }
    termination.withLock { $0 = subscription }
  }

  /// Creates a store in the file in which Foundation on Linux keeps the user defaults of a domain.
  ///
  /// The file is `<domain>.plist` in the folder that `XDG_CONFIG_HOME` names, or in `~/.config`.
  ///
  /// - Parameters:
  ///   - domain: The domain's name, such as `org.example.editor`.
  ///   - format: The format in which the store writes the file: XML or binary.
  ///   - saving: The policy that determines when the store writes values to the file.
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/invalidName`` if the domain's name would lead to
  ///   another folder.
  public convenience init(
    domain: String, format: PlistFormat = .binary, saving: Saving = .immediately
  ) throws(DefaultsError) {
    try self.init(url: DefaultsFolder.file(of: domain), format: format, saving: saving)
  }

  deinit {
    fileObserver.stop()
    // The deinitializer ignores errors, since a deinitializer cannot throw.
    if saving.delay != nil { try? writeUnsaved() }
  }

  /// The identity of the store, which consists of the file's resolved path and the store's options.
  public var identity: DefaultsStoreIdentity {
    DefaultsStoreIdentity(
      kind: "\(file.layout.rawValue) \(format) \(saving.delay.map { "\($0)" } ?? "")",
      name: url.resolvingSymlinksInPath().standardizedFileURL.path)
  }

  /// Returns the value of a key, or nil if the key has no value.
  ///
  /// The store reads the file once, and again after each change of the file. While the store has subscribers, the store
  /// observes the file. If the store has no subscribers, each call of `load(_:)` asks the system whether the file has
  /// changed.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read.
  public func load(_ key: String) throws -> PropertyList? {
    let cached: PropertyList?? = try state.withLock { state in
      if let unsaved = state.unsaved[key] { return .some(unsaved.value) }
      guard state.isLoaded, state.isWatched else { return .none }
      if let failure = state.failure { throw failure }
      return .some(state.contents[key])
    }
    if let cached { return cached }
    try catchUp()
    return state.withLock { $0.value(of: key) }
  }

  /// All values in the store, by key.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read.
  public var contents: PropertyListDictionary {
    get throws {
      try catchUp()
      return state.withLock(\.visibleContents)
    }
  }

  /// Calls a closure after each change of a value in the store.
  ///
  /// The store observes the file while the store has subscribers.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    let subscription = observing.withLock {
      fileObserver.start { [weak self] isCertain in self?.fileDidChange(isCertain: isCertain) }
      return subscribers.add(handler) { [weak self] in self?.stopIfUnobserved() }
    }
    // The file observer does not report changes before its start, so the store reads the file after the start.
    try? catchUp()
    state.withLock { $0.isWatched = true }
    return subscription
  }

  private func stopIfUnobserved() {
    observing.withLock {
      guard subscribers.isEmpty else { return }
      fileObserver.stop()
      state.withLock { $0.isWatched = false }
    }
  }
}
