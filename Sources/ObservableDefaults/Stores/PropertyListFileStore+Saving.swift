import Dispatch
import Foundation
public import Plist

extension PropertyListFileStore {
  /// Keeps a value, or with nil removes the key; when it reaches the file is told by ``saving``.
  ///
  /// A value that is there already is not written again.
  ///
  /// - Throws: ``DefaultsError`` where the file cannot be read or written, `PlistError` where the value has no form in the
  ///   file's format. With ``Saving/debounced(_:)``, failures to write come from ``flush()``.
  public func save(_ value: PropertyList?, for key: String) throws {
    try save([key: value])
  }

  /// Changes several values at once: the file has all the changes or none.
  ///
  /// - Throws: What `body` throws, and as ``save(_:for:)``. With ``Saving/debounced(_:)`` the file is written at once
  ///   too.
  public func update(_ body: (inout DefaultsBatch) throws -> Void) throws {
    var own: Set<String> = []
    var others: Set<String> = []
    // Told even where an error is thrown: what others did is known by then, and not found again.
    defer {
      subscribers.send(.external, others)
      subscribers.send(.local, own)
    }
    try fileLock.withLock {
      try file.withExclusiveAccess {
        others = try refresh()
        let before = state.withLock(\.visibleContents)
        var batch = DefaultsBatch(before)
        try body(&batch)
        let changed = batch.keys.filter { batch[$0] != before[$0] }
        if changed.isEmpty { return }
        let numbers = state.withLock { $0.unsaved.mapValues(\.number) }
        try replace(with: batch.contents, saving: numbers)
        own = changed
      }
    }
  }

  /// Writes what has been set and is not in the file yet.
  ///
  /// - Throws: As ``save(_:for:)``; what could not be written is kept in memory, to be tried again.
  public func flush() throws { try writeUnsaved() }

  /// Why the last delayed saving failed, or nil where it did not; what could not be written is tried again.
  public var savingFailure: (any Error)? { state.withLock(\.savingFailure) }

  /// Gives up a file that cannot be read, so that the store starts anew without any values.
  ///
  /// A copy of a corrupt file has been kept beside it. A file that can be read is left alone.
  ///
  /// - Throws: ``DefaultsError`` where the file can be neither read nor removed.
  public func discardUnreadableFile() throws {
    try fileLock.withLock {
      try file.withExclusiveAccess {
        do { _ = try refresh() } catch {
          do {
            try FileManager.default.removeItem(atPath: AtomicFile.resolvingLinks(file.path))
          } catch {
            throw DefaultsError(.unwritableFile, "cannot remove \(file.path): \(error.localizedDescription)")
          }
          _ = try refresh()
        }
      }
    }
    subscribers.send(DefaultsChange(origin: .local, keys: nil))
  }

  private func save(_ values: [String: PropertyList?]) throws {
    // Nothing is set in a file that cannot be read. What is written at once is compared with what the file holds now.
    let isCurrent = state.withLock { $0.isLoaded && $0.isWatched && $0.failure == nil }
    if saving.delay == nil || !isCurrent { try catchUp() }
    let claimed = state.withLock { state in
      var claimed: [String: Int] = [:]
      for (key, value) in values where state.value(of: key) != value {
        state.lastNumber += 1
        state.unsaved[key] = (value, state.lastNumber)
        claimed[key] = state.lastNumber
      }
      return claimed
    }
    if claimed.isEmpty { return }
    if let delay = saving.delay {
      scheduleFlush(after: delay)
    } else {
      do { try writeUnsaved(atLeast: claimed) } catch {
        // The caller is told, so nobody is going to try again.
        state.withLock { state in
          for (key, number) in claimed where state.unsaved[key]?.number == number { state.unsaved[key] = nil }
        }
        throw error
      }
    }
    subscribers.send(.local, Set(claimed.keys))
  }

  /// Writes what is not in the file yet, unless another thread has meanwhile written all of `claimed`.
  func writeUnsaved(atLeast claimed: [String: Int]? = nil) throws {
    var others: Set<String> = []
    defer { subscribers.send(.external, others) }
    try fileLock.withLock {
      let isDone = state.withLock { state in
        claimed?.allSatisfy { state.unsaved[$0.key].map(\.number) != $0.value } ?? state.unsaved.isEmpty
      }
      if isDone { return }
      try file.withExclusiveAccess {
        others = try refresh()
        let (contents, numbers, isChange) = state.withLock { state in
          let contents = state.visibleContents
          let isChange = state.unsaved.contains { $0.value.value != state.contents[$0.key] }
          return (contents, state.unsaved.mapValues(\.number), isChange)
        }
        if isChange {
          try replace(with: contents, saving: numbers)
        } else {
          state.withLock { $0.forget(numbers) }
        }
      }
    }
  }

  /// Replaces the file; what was to be saved under these numbers is saved then.
  ///
  /// The caller holds `fileLock` and the file's lock.
  private func replace(with contents: PropertyListDictionary, saving numbers: [String: Int]) throws {
    let identity = try file.replace(with: contents)
    state.withLock { state in
      state.contents = contents
      state.identity = identity
      state.forget(numbers)
    }
  }

  private func scheduleFlush(after delay: Duration) {
    let isFirst = state.withLock { state in
      defer { state.isFlushScheduled = true }
      return !state.isFlushScheduled
    }
    guard isFirst else { return }
    let (seconds, attoseconds) = delay.components
    let (milliseconds, isOverflow) = seconds.multipliedReportingOverflow(by: 1000)
    let interval = DispatchTimeInterval.milliseconds(
      isOverflow ? .max : Int(clamping: milliseconds + attoseconds / 1_000_000_000_000_000))
    DispatchQueue.global().asyncAfter(deadline: .now() + interval) { @Sendable [weak self] in
      guard let self else { return }
      state.withLock { $0.isFlushScheduled = false }
      do {
        try flush()
        state.withLock { $0.savingFailure = nil }
      } catch {
        state.withLock { $0.savingFailure = error }
        scheduleFlush(after: max(delay, .seconds(1)))
      }
    }
  }
}

extension PropertyListFileStore.State {
  /// Strikes from the list what has been saved, unless it has been set anew since.
  mutating func forget(_ numbers: [String: Int]) {
    for (key, number) in numbers where unsaved[key]?.number == number { unsaved[key] = nil }
  }
}
