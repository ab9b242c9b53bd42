import Dispatch
import Foundation
import Plist

extension PropertyListFileCache {
  func save(_ value: PropertyList?, for key: String) throws {
    let exactKey = ExactKey(key)
    // If the file cannot be read, the method throws an error and sets no value. With immediate saving, the store
    // compares the value with the current contents of the file.
    let isCurrent = state.withLock { $0.isLoaded && $0.isWatched && $0.failure == nil }
    if delay == nil || !isCurrent { try catchUp() }
    // A value that another thread is writing does not count as stored, since the write can still fail.
    let isStored = { [delay] (state: borrowing State) in
      state.value(of: key) == value && (delay != nil || state.unsaved[exactKey] == nil)
    }
    if state.withLock({ isStored($0) }) { return }
    // The store writes all unsaved values together, so one value that cannot be written would block the other values.
    if let value { try file.check(value, for: key) }
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

  func update(_ body: (inout DefaultsBatch) throws -> Void) throws {
    var own: Set<String> = []
    defer {
      reportChanges()
      subscribers.send(.local, own)
    }
    try file.withExclusiveAccess {
      try fileLock.withLock {
        try refresh()
        let (before, lastNumber) = state.withLock { ($0.newContents, $0.lastNumber) }
        let (contents, changed) = try DefaultsBatch.apply(body, to: before)
        if changed.isEmpty {
          // The values of the batch can be equal to unsaved values, which must be in the file when the method returns.
          return try replaceIfChanged()
        }
        for key in changed { try file.checkDepth(of: contents[key], for: key) }
        try replace(with: contents, saving: lastNumber)
        own = Set(changed)
      }
    }
  }

  func flush() throws {
    try writeUnsaved()
    // If there are no unsaved values, `writeUnsaved()` does not read the file.
    try catchUp()
  }

  var savingFailure: (any Error)? { state.withLock(\.savingFailure) }

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
    let (contents, lastNumber, isChange) = state.withLock { state in
      let contents = state.newContents
      let isChange = state.unsaved.keys.contains { contents[$0.string] != state.contents[$0.string] }
      return (contents, state.lastNumber, isChange)
    }
    if isChange {
      try replace(with: contents, saving: lastNumber)
    } else {
      state.withLock { $0.didWrite(lastNumber) }
    }
  }

  /// Replaces the file, and marks all changes with sequence numbers up to `lastNumber` as saved.
  ///
  /// The caller must hold `fileLock` and the file's lock.
  private func replace(with contents: PropertyListDictionary, saving lastNumber: Int) throws {
    let identity = try file.replace(with: contents)
    state.withLock { state in
      state.contents = contents
      state.identity = identity
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
    let interval = DispatchTimeInterval.milliseconds(Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    DispatchQueue.global().asyncAfter(deadline: .now() + interval) { @Sendable [weak self] in
      guard let self else { return }
      state.withLock { $0.isFlushScheduled = false }
      do {
        try writeUnsaved()
        state.withLock { $0.savingFailure = nil }
      } catch {
        state.withLock { $0.savingFailure = error }
        scheduleFlush(after: max(delay, .seconds(1)))
      }
    }
  }
}

extension PropertyListFileCache.State {
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
