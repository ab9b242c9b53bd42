import Dispatch
import Plist

extension PropertyListFileCache {
  func save(_ value: PropertyList?, for key: String) throws {
    try RunningUpdates.check(self)
    let exactKey = ExactKey(key)
    // If the file cannot be read, the method throws an error and sets no value. With immediate saving, the store
    // compares the value with the current contents of the file.
    let isCurrent = state.withLock { $0.isLoaded && $0.isWatched && $0.failure == nil }
    if delay == nil || !isCurrent { try catchUp() }
    // The store writes all unsaved values together, so one value that cannot be written would block the other values.
    let format = fileFormat
    let value = try value.map { try file.published($0, for: key, in: format) }
    // A value that another thread is writing does not count as stored, since the write can still fail.
    let isStored = { [delay] (state: borrowing State) in
      state.value(of: key) == value && (delay != nil || state.unsaved[exactKey] == nil)
    }
    let number = state.withLock { state -> Int? in
      if isStored(state) { return nil }
      state.lastNumber += 1
      // With a delay, the newest value of a key replaces the earlier values.
      if delay != nil { state.unsaved[exactKey] = nil }
      state.unsaved[exactKey, default: []].append((value, state.lastNumber))
      return state.lastNumber
    }
    guard let number else { return }
    if let delay {
      scheduleFlush(after: delay)
    } else {
      do { try writeUnsaved(through: number) } catch {
        // `save(_:for:)` throws the error to its caller, so the store discards the value instead of writing it later.
        state.withLock { $0.removeUnsaved { $0 == number } }
        throw error
      }
    }
    subscribers.send(.local, [key])
  }

  /// The format in which the next save writes the file.
  var fileFormat: PlistFormat { state.withLock { $0.file.format } ?? file.format }

  func update(_ body: (inout DefaultsBatch) throws -> Void) throws {
    try RunningUpdates.check(self)
    var own: Set<String> = []
    defer {
      reportChanges()
      subscribers.send(.local, own)
    }
    try file.withExclusiveAccess {
      try fileLock.withLock {
        try refresh()
        let (before, lastNumber) = state.withLock { ($0.newContents, $0.lastNumber) }
        let format = fileFormat
        var (contents, changed) = try RunningUpdates.run(for: self) { try DefaultsBatch.apply(body, to: before) }
        for key in changed { contents[key] = try contents[key].map { try file.published($0, for: key, in: format) } }
        changed.removeAll { contents[$0] == before[$0] }
        if changed.isEmpty {
          // The values of the batch can be equal to unsaved values, which must be in the file when the method returns.
          return try replaceIfChanged()
        }
        try replace(with: contents, changing: changed, saving: lastNumber)
        own = Set(changed)
      }
    }
  }

  func flush() throws {
    try RunningUpdates.check(self)
    try writeUnsaved()
    // If there are no unsaved values, `writeUnsaved()` does not read the file.
    try catchUp()
  }

  var savingFailure: (any Error)? { state.withLock { $0.savingFailure } }

  /// The error of the last delayed write, if the key's value has to be written still.
  func failure(of key: String) -> (any Error)? {
    state.withLock { $0.showsUnsaved && $0.unsaved[ExactKey(key)] != nil ? $0.savingFailure : nil }
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
            // If another program has replaced the file, the loop reads the new file.
            try file.removeCorruptFile(identity)
          }
        }
      }
    }
    // The notification makes each ``SharedReference`` store its value if an earlier attempt to store the value failed.
    subscribers.send(DefaultsChange(origin: .local, keys: nil))
    reportChanges()
  }

  /// Writes the unsaved values, or does nothing if another thread has already written the change with the sequence
  /// number `number`.
  func writeUnsaved(through number: Int? = nil) throws {
    defer { reportChanges() }
    do { try write(through: number) } catch {
      let failed = state.withLock { state -> Set<ExactKey> in
        guard state.showsUnsaved else { return [] }
        state.savingFailure = error
        let failed = Set(state.unsaved.keys)
        state.failedKeys.formUnion(failed)
        return failed
      }
      if !failed.isEmpty { failureSubscribers.send(Set(failed.map(\.string))) }
      throw error
    }
  }

  private func write(through number: Int?) throws {
    let isDone = { [self] in
      state.withLock { state in number.map { $0 <= state.writtenNumber } ?? state.unsaved.isEmpty }
    }
    try file.withExclusiveAccess(unless: isDone) {
      try fileLock.withLock {
        try refresh()
        try replaceIfChanged()
      }
    }
  }

  /// Writes the unsaved values if they differ from the values in the file.
  ///
  /// The caller must hold `fileLock` and the file's lock, and must have called ``refresh()``.
  private func replaceIfChanged() throws {
    let (contents, lastNumber, changed) = state.withLock { state in
      let contents = state.newContents
      let changed = state.unsaved.keys.map(\.string).filter { contents[$0] != state.file.contents[$0] }
      return (contents, state.lastNumber, changed)
    }
    if !changed.isEmpty {
      try replace(with: contents, changing: changed, saving: lastNumber)
    } else {
      state.withLock { $0.didWrite(lastNumber) }
    }
  }

  /// Replaces the file, and marks all changes with sequence numbers up to `lastNumber` as saved.
  ///
  /// The caller must hold `fileLock` and the file's lock.
  private func replace(
    with contents: PropertyListDictionary, changing keys: [String], saving lastNumber: Int
  ) throws {
    let old = state.withLock { $0.file }
    let unsaved = state.withLock { $0.unsaved.keys.map(\.string) }
    // A batch is written together with the unsaved values.
    let all = Set((keys + unsaved).map { ExactKey($0) }).map(\.string)
    let new = try file.replace(old, with: contents, changing: all)
    state.withLock { state in
      state.file = new
      state.didWrite(lastNumber)
    }
  }

  private func scheduleFlush(after delay: Duration) {
    let isFirst = state.withLock { state in
      defer { state.isFlushScheduled = true }
      return !state.isFlushScheduled
    }
    guard isFirst else { return }
    // The delay is limited to about a century, so that the conversion of the delay to milliseconds does not overflow.
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

extension PropertyListFileCache.State {
  /// Returns the keys whose last write had failed, and that are in the file now.
  mutating func takeSavedKeys() -> Set<String> {
    if unsaved.isEmpty { savingFailure = nil }
    if failedKeys.isEmpty { return [] }
    let saved = failedKeys.filter { unsaved[$0] == nil }
    failedKeys.subtract(saved)
    return Set(saved.map(\.string))
  }

  mutating func didWrite(_ lastNumber: Int) {
    writtenNumber = max(writtenNumber, lastNumber)
    removeUnsaved { $0 <= lastNumber }
  }

  mutating func removeUnsaved(where isRemoved: (_ number: Int) -> Bool) {
    unsaved = unsaved.compactMapValues { values in
      let kept = values.filter { !isRemoved($0.number) }
      return kept.isEmpty ? nil : kept
    }
  }
}
