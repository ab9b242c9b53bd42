extension SharedReference {
  /// Changes the value; no other thread changes it in between.
  ///
  /// Readers are not kept out, and see the old value until the closure has returned.
  ///
  /// - Parameter body: Given the value, to be changed. It may read this or any other reference, but not set this one.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the value is as it was then.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    let (result, change) = try turn.take {
      let latest = state.withLock(\.latest)
      var value = latest.value
      let result = try body(&value)
      return (result, claim(value, after: latest))
    }
    if let change { publish(change) } else { deliver() }
    return result
  }

  /// Removes what is stored, so that the default shows.
  public func reset() {
    let change = turn.take {
      let latest = state.withLock(\.latest)
      if followsStore && latest.isDefault && latest.error == nil { return nil as Change? }
      return claim(Snapshot(.absent, default: defaultValue), after: latest, saving: .removal)
    }
    if let change { publish(change) }
  }

  /// Says that the value may have changed in a way the store does not notice, so that it is read again.
  ///
  /// Where it has not changed, nobody is told.
  public func notifyExternalChange() { reload() }

  /// The change to a value that is to be stored, or nil where it is the present one.
  ///
  /// The caller has the turn.
  private func claim(_ value: Value, after latest: Snapshot) -> Change? {
    // Where something else is stored, or the value is not, setting the same value is meant to store it.
    if followsStore && latest.error == nil && comparison.areEqual(latest.value, value) { return nil }
    if backing.isRemoval(value) {
      return claim(Snapshot(.absent, default: defaultValue), after: latest, saving: .removal)
    }
    return claim(Snapshot(value: value, isDefault: false, error: nil), after: latest, saving: .value(value))
  }

  /// The change to what is to show, or nil where it shows already.
  ///
  /// The caller has the turn.
  private func claim(_ snapshot: Snapshot, after latest: Snapshot, saving: Saving?) -> Change? {
    var properties: ReferenceSignals.Properties = []
    if !comparison.areEqual(latest.value, snapshot.value) { properties.insert(.value) }
    if latest.isDefault != snapshot.isDefault { properties.insert(.isDefault) }
    if !areSame(latest.error, snapshot.error) { properties.insert(.error) }
    if properties.isEmpty && saving == nil { return nil }
    let number = state.withLock { state in
      state.latest = snapshot
      state.lastNumber += 1
      if saving != nil { state.savingNumber = state.lastNumber }
      return state.lastNumber
    }
    return Change(snapshot: snapshot, number: number, properties: properties, saving: saving)
  }

  private func areSame(_ error: (any Error)?, _ other: (any Error)?) -> Bool {
    switch (error, other) {
    case (nil, nil): true
    case (let error?, let other?): "\(error)" == "\(other)"
    default: false
    }
  }

  /// Makes a change visible, has it stored, and tells of it.
  private func publish(_ change: Change) {
    announce(change.properties)
    state.withLock { state in
      // A change that was computed later, from this one, may have come first.
      guard change.number > state.visibleNumber else { return }
      if change.properties.contains(.value) {
        state.undelivered.append((state.visible.value, change.snapshot.value))
      }
      state.visible = change.snapshot
      state.visibleNumber = change.number
      if let saving = change.saving { state.unsaved = (saving, change.number) }
    }
    signals.didSet(change.properties)
    deliver()
  }

  /// Says that properties are about to change.
  ///
  /// The observation system calls an observer again if the property changes once more while it is called. One that sets
  /// the value would be called for ever; so changes in the meantime are announced when it has returned, and is gone.
  private func announce(_ properties: ReferenceSignals.Properties) {
    let own = state.withLock { state in
      state.announcedMeanwhile.formUnion(properties.intersection(state.announcing))
      let own = properties.subtracting(state.announcing)
      state.announcing.formUnion(own)
      return own
    }
    var next = own
    while !next.isEmpty {
      signals.willSet(next)
      next = state.withLock { state in
        let again = state.announcedMeanwhile.intersection(own)
        state.announcedMeanwhile.subtract(own)
        if again.isEmpty { state.announcing.subtract(own) }
        return again
      }
    }
  }

  /// Follows the store, unless a value is on its way to it, which then replaces what is there.
  func reload() {
    while true {
      let number = state.withLock { state -> Int? in
        if state.savingNumber > state.savedNumber {
          state.mustReload = true
          return nil
        }
        return state.lastNumber
      }
      guard let number else { return }
      if follow(backing.load(), unlessAfter: number) { return }
    }
  }

  /// Shows what was loaded; returns false where a change was made since, so that it may be out of date.
  func follow(_ stored: StoredValue<Value>, unlessAfter number: Int? = nil) -> Bool {
    let outcome = turn.takeUnlessTaken { () -> (Bool, Change?) in
      let (latest, isCurrent) = state.withLock { state in
        (state.latest, number.map { $0 == state.lastNumber } ?? (state.savingNumber <= state.savedNumber))
      }
      guard isCurrent else { return (false, nil) }
      var snapshot = Snapshot(stored, default: defaultValue)
      // What was known of a store that cannot be read any more is better than nothing.
      if case .failure = stored {
        snapshot.value = latest.value
        snapshot.isDefault = latest.isDefault
      }
      return (true, claim(snapshot, after: latest, saving: nil))
    }
    guard let outcome else {
      // The store was changed within `withLock`, which sees to it at its end.
      state.withLock { $0.mustReload = true }
      return true
    }
    if let change = outcome.1 { publish(change) }
    return outcome.0
  }

  /// Says why the value could not be stored.
  func fail(_ error: any Error) {
    let change = turn.takeUnlessTaken { () -> Change? in
      var snapshot = state.withLock(\.latest)
      let latest = snapshot
      snapshot.error = error
      return claim(snapshot, after: latest, saving: nil)
    }
    if let change, let change { publish(change) }
  }
}
