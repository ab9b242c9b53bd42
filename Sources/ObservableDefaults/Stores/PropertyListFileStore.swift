public import Foundation
public import Plist

/// A store in a property-list file: the one to use on Linux, and for files shared by several processes anywhere.
///
/// The values are cached in memory; reading one does not touch the file. What other processes write to the file is
/// noticed within milliseconds, whether they replace it or write in place, and signalled for exactly the keys that
/// changed.
///
/// **Writing.** Each save locks the file against other writers, reads what they have changed, changes its own keys only,
/// and puts a new file in the old one's place once it is on the disk. So processes that write different keys lose
/// nothing, and one that is killed leaves the old file or the new. A symbolic link stays one; the file keeps its
/// permissions and, where the process may give files away, its owner; a new file is for its owner alone. Beside it, a
/// hidden file of the same name with `.lock` is what is locked.
///
/// A save that cannot have the lock, since another process holds it and is stopped, throws after ten seconds.
///
/// **Files that cannot be read** are not taken for empty: every call throws, nothing is written, and a copy of what is no
/// property list is kept beside it, with `.corrupt` after its name. (The copy is removed if the file was only being written
/// slowly.) ``discardUnreadableFile()`` starts anew.
///
/// Stores of one file share their values if they are set up alike, and otherwise keep in step through the file.
public final class PropertyListFileStore: DefaultsStore {
  /// When values reach the file.
  public struct Saving: Hashable, Sendable {
    let delay: Duration?

    /// Before the call that sets them returns.
    public static let immediately = Saving(delay: nil)

    /// Some time after the first of them was set, all at once; with ``PropertyListFileStore/flush()``, or when the store
    /// goes away or the process exits, at the latest.
    ///
    /// A process that is killed loses what has not been saved.
    public static func debounced(_ delay: Duration = .milliseconds(200)) -> Saving { Saving(delay: delay) }
  }

  /// The file, which need not exist.
  public let url: URL
  /// The format in which it is written; it is read in any.
  public let format: PlistFormat
  /// When values reach it.
  public let saving: Saving

  let file: DefaultsFile
  let state = Guarded(State())
  let subscribers = Subscribers<DefaultsChange>()
  /// Held while the file is read or written, by one thread at a time.
  ///
  /// Those who only want what is cached do not wait.
  let fileLock = NSLock()
  private let watch: FileWatch

  /// What is known of the file, and what is to be written to it.
  struct State {
    /// What the file holds, as far as is known.
    var contents: PropertyListDictionary = [:]
    /// The state of the file when it was last read or written.
    var identity: FileStatus.Identity?
    /// Whether it has been read at all.
    var isLoaded = false
    /// Why it could not be read, since it was last looked at.
    var failure: DefaultsError?
    /// What is not in the file yet, with a number that grows.
    var unsaved: [String: (value: PropertyList?, number: Int)] = [:]
    var lastNumber = 0
    /// The changes up to this number are in the file.
    var writtenNumber = 0
    /// Whether ``PropertyListFileStore/flush()`` is going to be called.
    var isFlushScheduled = false
    /// Why the last delayed saving failed.
    var savingFailure: (any Error)?
    var isWatched = false

    /// The value of a key: what is to be written, or else what is in the file.
    func value(of key: String) -> PropertyList? {
      if let unsaved = unsaved[key] { return unsaved.value }
      return contents[key]
    }

    /// Everything, with what is to be written.
    var visibleContents: PropertyListDictionary {
      var contents = contents
      for (key, unsaved) in unsaved { contents[key] = unsaved.value }
      return contents
    }
  }

  /// Creates a store in a file, which is read when a value is first asked for.
  ///
  /// - Parameters:
  ///   - url: The file's URL. The file and its folder are created when a value is first saved.
  ///   - format: The format in which the file is written, XML or binary.
  ///   - saving: When values reach the file.
  /// - Precondition: `url` is a file's.
  public convenience init(url: URL, format: PlistFormat = .binary, saving: Saving = .immediately) {
    self.init(url: url, format: format, saving: saving, layout: .dictionary)
  }

  init(url: URL, format: PlistFormat, saving: Saving, layout: DefaultsFile.Layout) {
    precondition(url.isFileURL, "\(url.absoluteString) is not the URL of a file")
    self.url = url
    self.format = format
    self.saving = saving
    file = DefaultsFile(path: url.path, format: format, layout: layout)
    watch = FileWatch(path: url.path)
    if saving.delay != nil { UnsavedStores.shared.add(self) }
  }

  /// Creates a store in the file in which Foundation keeps the user defaults of a domain on Linux:
  /// `<domain>.plist` in the folder that `XDG_CONFIG_HOME` names, else in `~/.config`.
  ///
  /// - Parameters:
  ///   - domain: The domain's name, such as `org.example.editor`.
  ///   - format: The format in which the file is written, XML or binary.
  ///   - saving: When values reach the file.
  /// - Throws: ``DefaultsError`` with the code ``DefaultsError/Code/invalidName`` where the name would lead to another
  ///   folder.
  public convenience init(
    domain: String, format: PlistFormat = .binary, saving: Saving = .immediately
  ) throws(DefaultsError) {
    try self.init(url: DefaultsFolder.file(of: domain), format: format, saving: saving)
  }

  deinit {
    // Whoever would call the handler is gone with it.
    watch.stop()
    // Nobody is left to be told where this fails.
    if saving.delay != nil { try? writeUnsaved() }
  }

  /// The path of the file, following links, and how it is saved.
  public var identity: DefaultsStoreIdentity {
    DefaultsStoreIdentity(
      kind: "\(file.layout.rawValue) \(format) \(saving.delay.map { "\($0)" } ?? "")",
      name: url.resolvingSymlinksInPath().standardizedFileURL.path)
  }

  /// The value of a key, or nil where there is none.
  ///
  /// The file is read once, and again when it has changed. Without subscribers, which have it watched, each call asks the
  /// system whether it has.
  ///
  /// - Throws: ``DefaultsError`` where the file cannot be read.
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
  /// - Throws: ``DefaultsError`` where the file cannot be read.
  public var contents: PropertyListDictionary {
    get throws {
      try catchUp()
      return state.withLock(\.visibleContents)
    }
  }

  /// Calls a closure after each change; while there is somebody to call, the file is watched.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    let subscription = subscribers.add(handler) { [weak self] in
      guard let self, subscribers.isEmpty else { return }
      watch.stop()
      state.withLock { $0.isWatched = false }
    }
    watch.start { [weak self] isCertain in self?.fileDidChange(isCertain: isCertain) }
    // What happened before the file was watched is found here, and after, by the watch.
    try? catchUp()
    state.withLock { $0.isWatched = true }
    return subscription
  }
}
