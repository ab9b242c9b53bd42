import Dispatch
package import Plist

/// The values in a property-list file, and those that haven't been written to it yet.
///
/// Stores with the same path and options share a cache, which does the actual work for all of them.
final class PropertyListFileCache: Sendable {
  let file: DefaultsFile
  /// How long values wait to be written together, or nil if each is written immediately.
  let delay: Duration?
  let state = Guarded(State())
  let subscribers = Subscribers<DefaultsChange>()
  /// The handlers to call when a delayed write fails, or succeeds after a failure.
  let failureSubscribers = Subscribers<Set<String>>()
  /// Held while reading or writing the file, but not needed for the values in memory.
  let fileLock = Lock()
  let updating = UpdatingThread()
  private let fileObserver: FileObserver
  /// The queue on which the cache reads the file after an event and calls subscribers.
  ///
  /// Subscribers must not block the thread that all of the process's file observers share.
  private let queue = DispatchQueue(label: "ObservableDefaults.PropertyListFileCache")
  /// Held while starting the observer for the first subscriber or stopping it after the last one has gone.
  private let observing = Lock()
  private let termination = Guarded<DefaultsSubscription?>(nil)

  struct State {
    /// The number of stores that share the cache.
    var storeCount = 0
    /// The file as of the last read or write.
    var file = DefaultsFile.Version()
    var isLoaded = false
    /// The number of times the file has been read, for tests.
    var readings = 0
    var failure: DefaultsError?
    /// The values still to be written, with the numbers of their changes; a nil value removes the key.
    var unsaved: [ExactKey: (value: PropertyList?, number: Int)] = [:]
    var lastNumber = 0
    var isFlushScheduled = false
    var savingFailure: (any Error)?
    /// The keys whose references report ``savingFailure``.
    var failedKeys: Set<ExactKey> = []
    var isWatched = false
    var isRetryScheduled = false
    /// Nil if there are no events to handle; otherwise, whether they include a write in place.
    var unhandledEvent: Bool?
    /// The keys that other processes have changed and that haven't been reported yet, or nil for all keys.
    var unreported: Set<String>? = []

    func value(of key: String) -> PropertyList? {
      if let unsaved = unsaved[ExactKey(key)] { return unsaved.value }
      return file.contents[key]
    }

    /// The contents that the file will have after the next write.
    var contents: PropertyListDictionary {
      var contents = file.contents
      for (key, unsaved) in unsaved { contents[key.string] = unsaved.value }
      return contents
    }
  }

  init(_ file: DefaultsFile, delay: Duration?) {
    self.file = file
    self.delay = delay
    fileObserver = FileObserver(path: file.path)
    if delay == nil { return }
    let subscription = TerminationSignal.subscribe { [weak self] in try? self?.writeUnsaved() }
    termination.withLock { $0 = subscription }
  }

  deinit { fileObserver.stop() }

  func addStore() { state.withLock { $0.storeCount += 1 } }

  /// Writes the unsaved values when the last store goes away.
  ///
  /// The last store still retains the cache, so a store created during the write shares it. Errors are dropped because
  /// nobody is left to catch them.
  func removeStore() {
    let isLast = state.withLock { state in
      state.storeCount -= 1
      return state.storeCount == 0
    }
    if isLast { try? writeUnsaved() }
  }

  func load(_ key: String) throws -> PropertyList? {
    try updating.check()
    if let unsaved = state.withLock({ $0.unsaved[ExactKey(key)] }) { return unsaved.value }
    // Not every file system reports changes, so each read checks the file's identity even while the file is being
    // observed. The check needs no lock, so reads don't wait for saves.
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
      try updating.check()
      try catchUp()
      return state.withLock { $0.contents }
    }
  }

  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    let subscription = observing.withLock {
      fileObserver.start { [weak self] isCertain in self?.scheduleCatchUp(isCertain: isCertain) }
      // The subscription retains the cache, so changes arrive even if the store has been released.
      return subscribers.add(handler) { self.stopIfUnobserved() }
    }
    // The observer doesn't report changes made before it started.
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

  /// Handles an event on the cache's queue, together with all other pending events.
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
}

// Reading the file and reporting changes made by others.
extension PropertyListFileCache {
  /// Reads the file if it has changed and notifies the subscribers.
  ///
  /// `isCertain` is true after the system has reported a write in place, which can leave the file's size and time
  /// unchanged.
  func catchUp(isCertain: Bool = false) throws {
    defer { reportChanges() }
    try fileLock.withLock { try refresh(isCertain: isCertain) }
  }

  /// Reads the file if it has changed and records the changes for ``reportChanges()``.
  ///
  /// The caller must hold `fileLock`. After releasing its locks, it must call ``reportChanges()`` even if this method
  /// throws, because later reads won't find the same changes again.
  func refresh(isCertain: Bool = false) throws(DefaultsError) {
    do {
      let identity = try file.identity()
      let isKnown = state.withLock { $0.isLoaded && $0.file.identity == identity && $0.failure == nil }
      if isKnown && !isCertain { return }
      let version = try file.read()
      state.withLock { $0.didRead(version) }
    } catch {
      state.withLock { state in
        // Report that all keys have changed, since reading any value now throws an error.
        if state.failure == nil { state.unreported = nil }
        state.failure = error
      }
      throw error
    }
  }

  func reportChanges() {
    let (keys, saved) = state.withLock { state in
      defer { state.unreported = [] }
      return (state.unreported, state.takeSavedKeys())
    }
    if !saved.isEmpty { failureSubscribers.send(saved) }
    if let keys {
      subscribers.send(.external, keys)
    } else {
      subscribers.send(DefaultsChange(origin: .external, keys: nil))
    }
    scheduleRetry()
  }

  /// Rereads an unreadable file after a second, since the cause can go away without an event.
  ///
  /// For example, the process may have run out of file descriptors. A corrupt file needs no retry, since it is reread
  /// when it changes.
  private func scheduleRetry() {
    let isFirst = state.withLock { state in
      guard state.failure?.code == .unreadableFile, state.isWatched, !state.isRetryScheduled else { return false }
      state.isRetryScheduled = true
      return true
    }
    guard isFirst else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { @Sendable [weak self] in
      guard let self else { return }
      let isNeeded = state.withLock { state in
        state.isRetryScheduled = false
        return state.failure != nil && state.isWatched
      }
      if isNeeded { try? catchUp() }
    }
  }
}

extension PropertyListFileCache.State {
  fileprivate mutating func didRead(_ version: DefaultsFile.Version) {
    if failure != nil && isWatched {
      unreported = nil
    } else if isLoaded {
      let changed = version.contents.keys(differingFrom: file.contents)
      unreported?.formUnion(changed.filter { unsaved[ExactKey($0)] == nil })
    }
    isLoaded = true
    readings += 1
    failure = nil
    file = version
  }

  /// Returns the keys whose last write failed but whose values are now in the file.
  fileprivate mutating func takeSavedKeys() -> Set<String> {
    if unsaved.isEmpty { savingFailure = nil }
    if failedKeys.isEmpty { return [] }
    let saved = failedKeys.filter { unsaved[$0] == nil }
    failedKeys.subtract(saved)
    return Set(saved.map(\.string))
  }
}

extension PropertyListDictionary {
  /// Returns the keys whose values differ between the two dictionaries, including keys that only one of them has.
  package func keys(differingFrom other: PropertyListDictionary) -> [String] {
    var keys: [String] = []
    for (key, value) in self where other[key] != value { keys.append(key) }
    for key in other.keys where self[key] == nil { keys.append(key) }
    return keys
  }
}
