import Dispatch
import Foundation
import Plist

extension PropertyListFileCache {
  /// Reads the file if the file has changed, and reports changes by other processes to the subscribers.
  func catchUp() throws {
    // A subscriber that the store has just added has not seen an earlier error.
    let hadFailed = state.withLock { $0.failure != nil && $0.isWatched }
    let changed = try fileLock.withLock { try refresh() }
    report(changed, hadFailed: hadFailed)
  }

  private func report(_ changed: Set<String>, hadFailed: Bool) {
    if hadFailed {
      subscribers.send(DefaultsChange(origin: .external, keys: nil))
    } else {
      subscribers.send(.external, changed)
    }
  }

  /// Handles a possible change of the file; `isCertain` is true if the system reports a write in place.
  ///
  /// A file that a program has overwritten in place can have new contents, but the same size and modification time.
  func fileDidChange(isCertain: Bool) {
    let hadFailed = state.withLock { $0.failure != nil }
    let changed: Set<String>
    do {
      changed = try fileLock.withLock { try refresh(isCertain: isCertain) }
    } catch {
      // A notification without keys tells subscribers to read the values again, and reading a value throws the error.
      if !hadFailed { subscribers.send(DefaultsChange(origin: .external, keys: nil)) }
      scheduleRetry()
      return
    }
    report(changed, hadFailed: hadFailed)
  }

  /// Reads an unreadable file again after a second, since no event reports, for example, that the process has free file
  /// descriptors again.
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
      if isNeeded { fileDidChange(isCertain: false) }
    }
  }

  /// Reads the file if the file has changed, and returns the keys that other processes changed.
  ///
  /// The caller must hold `fileLock`.
  func refresh(isCertain: Bool = false) throws(DefaultsError) -> Set<String> {
    do {
      let identity = try file.identity()
      let isKnown = state.withLock { $0.isLoaded && $0.identity == identity && $0.failure == nil }
      if isKnown && !isCertain { return [] }
      let (contents, newIdentity) = try file.read()
      return state.withLock { state in
        defer { state.isLoaded = true }
        state.failure = nil
        state.identity = newIdentity
        let changed = state.isLoaded ? contents.keys(differingFrom: state.contents) : []
        state.contents = contents
        return changed.filter { state.unsaved[$0] == nil }
      }
    } catch {
      state.withLock { $0.failure = error }
      throw error
    }
  }
}

extension PropertyListDictionary {
  /// Returns the keys whose values differ between this dictionary and `other`, including keys that only one dictionary
  /// contains.
  func keys(differingFrom other: PropertyListDictionary) -> Set<String> {
    var keys = Set<String>()
    for (key, value) in self where other[key] != value { keys.insert(key) }
    for key in other.keys where self[key] == nil { keys.insert(key) }
    return keys
  }
}
