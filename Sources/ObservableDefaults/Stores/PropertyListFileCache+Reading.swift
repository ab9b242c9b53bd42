import Dispatch
package import Plist

extension PropertyListFileCache {
  /// Reads the file if the file has changed, and reports changes by other processes to the subscribers.
  ///
  /// The argument `isCertain` is true if the system reports a write in place. A file that a program has overwritten in
  /// place can have new contents, but the same size and modification time.
  func catchUp(isCertain: Bool = false) throws {
    defer { reportChanges() }
    try fileLock.withLock { try refresh(isCertain: isCertain) }
  }

  /// Reports to the subscribers the changes that `refresh` has found.
  ///
  /// Every caller of `refresh` first releases the locks and then calls `reportChanges()`, even if the caller throws an
  /// error. A change that `refresh` has found is not found again by a later read.
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

  /// Reads an unreadable file again after a second.
  ///
  /// Some causes of a failed read end without a file event, for example a lack of free file descriptors.
  ///
  /// A corrupt file is not read again until it changes.
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

  /// Reads the file if the file has changed, and records the changes for `reportChanges()`.
  ///
  /// The caller must hold `fileLock`.
  func refresh(isCertain: Bool = false) throws(DefaultsError) {
    do {
      let identity = try file.identity()
      let isKnown = state.withLock { $0.isLoaded && $0.file.identity == identity && $0.failure == nil }
      if isKnown && !isCertain { return }
      let version = try file.read()
      state.withLock { $0.didRead(version) }
    } catch {
      state.withLock { state in
        // If the file cannot be read, reading a value throws an error, so subscribers must read all values again.
        if state.failure == nil { state.unreported = nil }
        state.failure = error
      }
      throw error
    }
  }
}

extension PropertyListFileCache.State {
  fileprivate mutating func didRead(_ version: DefaultsFile.Version) {
    if failure != nil && isWatched {
      unreported = nil
    } else if isLoaded {
      let changed = version.contents.keys(differingFrom: file.contents)
      unreported?.formUnion(changed.filter { !showsUnsaved || unsaved[ExactKey($0)] == nil })
    }
    isLoaded = true
    readings += 1
    failure = nil
    file = version
  }
}

extension PropertyListDictionary {
  /// Returns the keys whose values differ between this dictionary and `other`, including keys that only one dictionary
  /// contains.
  package func keys(differingFrom other: PropertyListDictionary) -> [String] {
    var keys: [String] = []
    for (key, value) in self where other[key] != value { keys.append(key) }
    for key in other.keys where self[key] == nil { keys.append(key) }
    return keys
  }
}
