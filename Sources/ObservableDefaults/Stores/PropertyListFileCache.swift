import Dispatch
import Plist

/// A cache of the values in a property-list file, and of the values that are not in the file yet.
///
/// All ``PropertyListFileStore`` objects with the same path and options share a cache, so the cache implements the
/// methods of the store.
final class PropertyListFileCache: Sendable {
  let file: DefaultsFile
  /// The delay of debounced saving, or nil if the store saves values immediately.
  let delay: Duration?
  let state: Guarded<State>
  let subscribers = Subscribers<DefaultsChange>()
  /// Those who want to know that a delayed write has failed, or has succeeded after a failure.
  let failureSubscribers = Subscribers<Set<String>>()
  /// A lock that a thread must hold to read or write the file.
  ///
  /// Reading cached values does not need `fileLock`.
  let fileLock = Lock()
  private let fileObserver: FileObserver
  /// The queue on which the cache reads the file after an event, and calls the subscribers.
  ///
  /// All file observers of the process share a thread, so a subscriber that blocked this thread would delay the events
  /// of all stores.
  private let queue = DispatchQueue(label: "ObservableDefaults.PropertyListFileCache")
  /// A lock that a thread holds while it adds a subscriber and starts the observer, or stops the observer after the last
  /// subscription has ended.
  private let observing = Lock()
  private let termination = Guarded<DefaultsSubscription?>(nil)

  struct State {
    /// Whether unsaved values are visible.
    ///
    /// With immediate saving, unsaved values are invisible, since the store discards a value that it cannot write.
    let showsUnsaved: Bool
    /// The number of stores that share the cache.
    var storeCount = 0
    /// The file at the last read or write, without unsaved values.
    var file = DefaultsFile.Version()
    var isLoaded = false
    /// How often the file has been read, for tests.
    var readings = 0
    var failure: DefaultsError?
    /// The unsaved values of each key, from the oldest to the newest.
    ///
    /// Each value has the sequence number of its change; a nil value removes the key. With immediate saving, several
    /// threads can wait to write values of the same key. If a save fails, the store discards only the value of this
    /// save.
    var unsaved: [ExactKey: [(value: PropertyList?, number: Int)]] = [:]
    var lastNumber = 0
    /// The sequence number of the latest change that the store has written to the file; all earlier changes are also in
    /// the file.
    var writtenNumber = 0
    var isFlushScheduled = false
    var savingFailure: (any Error)?
    /// The keys whose references show ``savingFailure``.
    var failedKeys: Set<ExactKey> = []
    var isWatched = false
    var isRetryScheduled = false
    /// Whether a write in place is among the events that the cache has not handled yet; nil means that the cache has
    /// handled all events.
    var unhandledEvent: Bool?
    /// The keys that other processes changed, and that the store has not reported yet; nil means all keys.
    var unreported: Set<String>? = []

    init(showsUnsaved: Bool) { self.showsUnsaved = showsUnsaved }

    /// A visible unsaved value takes precedence over the value in the file.
    func value(of key: String) -> PropertyList? {
      if showsUnsaved, let newest = unsaved[ExactKey(key)]?.last { return newest.value }
      return file.contents[key]
    }

    var visibleContents: PropertyListDictionary { showsUnsaved ? newContents : file.contents }

    /// The contents that the next write stores in the file, with the newest unsaved value of each key.
    var newContents: PropertyListDictionary {
      var contents = file.contents
      for (key, values) in unsaved {
        if let newest = values.last { contents[key.string] = newest.value }
      }
      return contents
    }
  }

  init(_ file: DefaultsFile, delay: Duration?) {
    self.file = file
    self.delay = delay
    state = Guarded(State(showsUnsaved: delay != nil))
    fileObserver = FileObserver(path: file.path)
    if delay == nil { return }
    let subscription = TerminationSignal.subscribe { [weak self] in try? self?.writeUnsaved() }
    termination.withLock { $0 = subscription }
  }

  deinit { fileObserver.stop() }

  func addStore() { state.withLock { $0.storeCount += 1 } }

  /// Writes the unsaved values if the last store is being released.
  ///
  /// The released store retains the cache during the write, so a store that is created meanwhile shares the cache.
  func removeStore() {
    let isLast = state.withLock { state in
      state.storeCount -= 1
      return state.storeCount == 0
    }
    // Errors are ignored, since the deinitializer of the store cannot throw.
    if isLast && delay != nil { try? writeUnsaved() }
  }

  func load(_ key: String) throws -> PropertyList? {
    try RunningUpdates.check(self)
    let unsaved: PropertyList?? = state.withLock { state in
      state.showsUnsaved ? state.unsaved[ExactKey(key)].map { $0.last?.value } : nil
    }
    if let unsaved { return unsaved }
    // Not every file system reports changes, so the store looks at the file even while the store observes it. The look
    // needs no lock, so that a read does not wait for a save.
    if let identity = try? file.identity() as FileStatus.Identity?? {
      let cached: PropertyList?? = state.withLock { state in
        state.isLoaded && state.failure == nil && state.file.identity == identity ? .some(state.value(of: key)) : .none
      }
      if let cached { return cached }
    }
    try catchUp()
    return state.withLock { $0.value(of: key) }
  }

  var contents: PropertyListDictionary {
    get throws {
      try RunningUpdates.check(self)
      try catchUp()
      return state.withLock { $0.visibleContents }
    }
  }

  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    let subscription = observing.withLock {
      fileObserver.start { [weak self] isCertain in self?.scheduleCatchUp(isCertain: isCertain) }
      // The subscription retains the cache, so that changes arrive even if the store has been released.
      return subscribers.add(handler) { self.stopIfUnobserved() }
    }
    // The file observer does not report changes before its start, so the store reads the file after the start.
    try? catchUp()
    state.withLock { $0.isWatched = true }
    return subscription
  }

  /// Handles an event of the file observer on the queue of the cache, together with earlier events that have not been
  /// handled yet.
  private func scheduleCatchUp(isCertain: Bool) {
    let isFirst = state.withLock { state in
      defer { state.unhandledEvent = isCertain || state.unhandledEvent == true }
      return state.unhandledEvent == nil
    }
    guard isFirst else { return }
    queue.async { @Sendable [weak self] in
      guard let self else { return }
      let isCertain = state.withLock { state in
        defer { state.unhandledEvent = nil }
        return state.unhandledEvent == true
      }
      try? catchUp(isCertain: isCertain)
    }
  }

  private func stopIfUnobserved() {
    observing.withLock {
      guard subscribers.isEmpty else { return }
      fileObserver.stop()
      state.withLock { $0.isWatched = false }
    }
  }
}
