import Dispatch
import Plist

extension PropertyListFileCache {
  /// Saves a value, either immediately or together with others after the delay.
  ///
  /// Returns whether exactly this value is now visible.
  func save(_ value: PropertyList?, for key: String, didStore: () -> Void = {}) throws -> Bool {
    try updating.check()
    // A value that is written immediately must be compared with the current file, and setting any value must fail while
    // the file cannot be read.
    let isCurrent = state.withLock { $0.isLoaded && $0.isWatched && $0.failure == nil }
    if delay == nil || !isCurrent { try catchUp() }
    // Check the value now, because delayed values are written together and one that the file's format cannot represent
    // would block the others.
    let format = fileFormat
    let form = try value.map { try file.published($0, for: key, in: format) }
    if state.withLock({ $0.value(of: key) != form }) {
      if let delay {
        state.withLock { state in
          state.lastNumber += 1
          state.unsaved[ExactKey(key)] = (form, state.lastNumber)
        }
        scheduleFlush(after: delay)
        didStore()
        subscribers.send(.local, [key])
      } else {
        try update({ $0[key] = value }, didStore: didStore)
      }
    }
    return form == value && failure(of: key) == nil
  }

  /// The format in which the next save will write the file.
  var fileFormat: PlistFormat { state.withLock { $0.file.format } ?? file.format }

  func update(_ body: (inout DefaultsBatch) throws -> Void, didStore: () -> Void) throws {
    try updating.check()
    let changed = try withFile {
      let (before, lastNumber) = state.withLock { ($0.contents, $0.lastNumber) }
      let format = fileFormat
      var (contents, changed) = try updating.run { try DefaultsBatch.apply(body, to: before) }
      for key in changed { contents[key] = try contents[key].map { try file.published($0, for: key, in: format) } }
      changed.removeAll { contents[$0] == before[$0] }
      // Do this even if nothing changed, since the batch may have set a value that is still unsaved.
      try replace(with: contents, changing: changed, saving: lastNumber)
      return changed
    }
    if changed.isEmpty { return }
    didStore()
    subscribers.send(.local, Set(changed))
  }

  func flush() throws {
    try updating.check()
    try writeUnsaved()
    try catchUp()
  }

  var savingFailure: (any Error)? { state.withLock { $0.savingFailure } }

  /// Returns the error from the last delayed write if the key's value is still unwritten, or nil otherwise.
  func failure(of key: String) -> (any Error)? {
    state.withLock { $0.unsaved[ExactKey(key)] == nil ? nil : $0.savingFailure }
  }

  func discardUnreadableFile() throws {
    try file.withExclusiveAccess {
      try fileLock.withLock {
        while true {
          let identity = try file.identity()
          do {
            try refresh()
            return
          } catch let error as DefaultsError where error.code == .corruptFile {
            // If another program has replaced the file, the next iteration reads its new contents.
            try file.removeCorruptFile(identity)
          }
        }
      }
    }
    // This makes each reference store the value that it could not store before.
    subscribers.send(DefaultsChange(origin: .local, keys: nil))
    reportChanges()
  }

  /// Writes the unsaved values, if there are any.
  func writeUnsaved() throws {
    let hasNone = { [self] in state.withLock { $0.unsaved.isEmpty } }
    if hasNone() { return }
    do {
      try withFile {
        // Another thread may have written them in the meantime.
        if hasNone() { return }
        let (contents, lastNumber) = state.withLock { ($0.contents, $0.lastNumber) }
        try replace(with: contents, changing: [], saving: lastNumber)
      }
    } catch {
      let failed = state.withLock { state -> Set<String> in
        if state.unsaved.isEmpty { return [] }
        state.savingFailure = error
        state.failedKeys.formUnion(state.unsaved.keys)
        return Set(state.unsaved.keys.map(\.string))
      }
      if !failed.isEmpty { failureSubscribers.send(failed) }
      throw error
    }
  }

  /// Locks the file against other writers, reads its current contents, runs `body`, and then reports changes made by
  /// others.
  private func withFile<Result>(_ body: () throws -> Result) throws -> Result {
    defer { reportChanges() }
    return try file.withExclusiveAccess {
      try fileLock.withLock {
        try refresh()
        return try body()
      }
    }
  }

  /// Replaces the file if any value differs, including unsaved values.
  ///
  /// Unsaved values up to the change `lastNumber` then count as saved.
  ///
  /// Must be called within ``withFile(_:)``.
  private func replace(
    with contents: PropertyListDictionary, changing keys: [String], saving lastNumber: Int
  ) throws {
    let (old, unsaved) = state.withLock { ($0.file, Set($0.unsaved.keys)) }
    let changed = unsaved.union(keys.map { ExactKey($0) }).map(\.string).filter { contents[$0] != old.contents[$0] }
    let new = changed.isEmpty ? old : try file.replace(old, with: contents, changing: changed)
    state.withLock { state in
      state.file = new
      state.unsaved = state.unsaved.filter { $0.value.number > lastNumber }
    }
  }

  private func scheduleFlush(after delay: Duration) {
    let isFirst = state.withLock { state in
      defer { state.isFlushScheduled = true }
      return !state.isFlushScheduled
    }
    guard isFirst else { return }
    // Limit the delay to about a century, so that the milliseconds don't overflow.
    let (seconds, attoseconds) = min(max(delay, .zero), .seconds(3_000_000_000)).components
    let interval = DispatchTimeInterval.milliseconds(
      Int(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    DispatchQueue.global().asyncAfter(deadline: .now() + interval) { @Sendable [weak self] in
      guard let self else { return }
      state.withLock { $0.isFlushScheduled = false }
      do { try writeUnsaved() } catch { scheduleFlush(after: max(delay, .seconds(1))) }
    }
  }
}
