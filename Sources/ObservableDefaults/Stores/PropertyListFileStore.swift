public import Foundation
public import Plist

/// A store in a property-list file, which is the standard store on Linux and can be shared by several processes.
///
/// ```swift
/// let store = PropertyListFileStore(url: url, format: .xml)
/// let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
/// fontSize.value = 14  // in the file when the assignment returns
/// ```
///
/// The values are cached in memory; reading a value does not access the file. Changes by other processes are detected
/// within milliseconds, and subscribers are notified of exactly the changed keys. Other processes can replace the file
/// or write it in place.
///
/// **Writing.** Each save locks the file against other writers, reads their changes, and changes only its own keys. A
/// save writes a new file, which replaces the old file atomically after the new file is on disk. Processes that write
/// different keys therefore lose nothing, and killing a process leaves either the old file or the new file.
///
/// A symbolic link is preserved. A replaced file keeps its permissions, and keeps its owner if the process is allowed
/// to set the owner. Only the owner can access a new file. The lock is on a hidden file in the same folder, with a name
/// such as `.settings.plist.lock`. If a stopped process holds the lock, a save throws an error after ten seconds.
///
/// **Unreadable files** do not appear to be empty: every call throws an error, and nothing is written. A copy of an
/// invalid file is kept in the same folder, with `.corrupt` after its name. (The copy is removed if another program was
/// only writing the file slowly.) To start without values, call ``discardUnreadableFile()``.
///
/// Stores of one file share their values if the stores have the same options; otherwise the stores exchange changes
/// through the file.
public final class PropertyListFileStore: DefaultsStore {
  /// A time at which values are written to the file.
  ///
  /// ```swift
  /// let store = PropertyListFileStore(url: url, saving: .debounced(.seconds(60)))
  /// for page in 1...100 { try store.save(PropertyList(page), for: "page") }  // in memory
  /// try store.flush()  // in the file
  /// ```
  public struct Saving: Hashable, Sendable {
    let delay: Duration?

    /// Values are written before the call that sets them returns.
    public static let immediately = Saving(delay: nil)

    /// Values are written together, a short time after the first unsaved value was set.
    ///
    /// Unsaved values are written earlier by ``PropertyListFileStore/flush()``, when the store is released, and when
    /// the process exits. A process that is killed loses unsaved values.
    public static func debounced(_ delay: Duration = .milliseconds(200)) -> Saving { Saving(delay: delay) }
  }

  /// The URL of the file, which need not exist.
  public let url: URL
  /// The format in which the file is written; any format is read.
  public let format: PlistFormat
  /// The time at which values are written to the file.
  public let saving: Saving

  let file: DefaultsFile
  let state = Guarded(State())
  let subscribers = Subscribers<DefaultsChange>()
  /// A thread that reads or writes the file holds this lock; a thread that reads only cached values does not need
  /// `fileLock`.
  let fileLock = NSLock()
  private let fileObserver: FileObserver
  private let termination = Guarded<DefaultsSubscription?>(nil)

  struct State {
    /// The contents of the file when the file was last read or written, without unsaved values.
    var contents: PropertyListDictionary = [:]
    var identity: FileStatus.Identity?
    var isLoaded = false
    var failure: DefaultsError?
    /// Each unsaved value has the number of its change; a nil value removes the key.
    var unsaved: [String: (value: PropertyList?, number: Int)] = [:]
    var lastNumber = 0
    /// All changes up to `writtenNumber` are in the file.
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

  /// Creates a store in a file, which is read when a value is first loaded.
  ///
  /// - Parameters:
  ///   - url: The file's URL. The file and its folder are created when a value is first saved.
  ///   - format: The format in which the file is written, XML or binary.
  ///   - saving: The time at which values are written to the file.
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

  /// Creates a store in the file in which Foundation keeps the user defaults of a domain on Linux.
  ///
  /// The file is `<domain>.plist` in the folder that `XDG_CONFIG_HOME` names, or in `~/.config`.
  ///
  /// - Parameters:
  ///   - domain: The domain's name, such as `org.example.editor`.
  ///   - format: The format in which the file is written, XML or binary.
  ///   - saving: The time at which values are written to the file.
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/invalidName`` if the file would be in another
  ///   folder.
  public convenience init(
    domain: String, format: PlistFormat = .binary, saving: Saving = .immediately
  ) throws(DefaultsError) {
    try self.init(url: DefaultsFolder.file(of: domain), format: format, saving: saving)
  }

  deinit {
    fileObserver.stop()
    // Errors are ignored, since a deinitializer cannot throw.
    if saving.delay != nil { try? writeUnsaved() }
  }

  /// The identity of the store: the resolved path of the file, and the options of the store.
  public var identity: DefaultsStoreIdentity {
    DefaultsStoreIdentity(
      kind: "\(file.layout.rawValue) \(format) \(saving.delay.map { "\($0)" } ?? "")",
      name: url.resolvingSymlinksInPath().standardizedFileURL.path)
  }

  /// The value of a key, or nil if there is none.
  ///
  /// The file is read once, and again after each change of the file. While there are subscribers, the file is observed;
  /// otherwise each call asks the system whether the file has changed.
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

  /// All values by key.
  ///
  /// - Throws: ``DefaultsError`` if the file cannot be read.
  public var contents: PropertyListDictionary {
    get throws {
      try catchUp()
      return state.withLock(\.visibleContents)
    }
  }

  /// Calls a closure after each change; the file is observed while there are subscribers.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    let subscription = subscribers.add(handler) { [weak self] in
      guard let self, subscribers.isEmpty else { return }
      fileObserver.stop()
      state.withLock { $0.isWatched = false }
    }
    fileObserver.start { [weak self] isCertain in self?.fileDidChange(isCertain: isCertain) }
    // The file is read after the observer has started, to find changes that happened before.
    try? catchUp()
    state.withLock { $0.isWatched = true }
    return subscription
  }
}
