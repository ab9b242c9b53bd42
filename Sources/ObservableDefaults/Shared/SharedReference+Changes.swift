import Dispatch
import Plist

extension SharedReference {
  /// Changes the value atomically, so that no other thread can change it between the read and the write.
  ///
  /// Readers don't wait; they see the old value until `body` has returned.
  ///
  /// - Parameter body: A closure that changes the value. It can read any reference but must not set one.
  /// - Returns: The result of `body`.
  /// - Throws: Any error that `body` throws. The value is unchanged if `body` throws.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    let (result, change) = try turn.take {
      let latest = state.withLock { $0.latest }
      var value = latest.value
      let result = try body(&value)
      return (result, claim(value, after: latest))
    }
    finish(change)
    return result
  }

  func assign(_ value: Value) {
    // Compute this before taking the turn, since it can run the store's code.
    let preview = backing.preview(backing.kept(value))
    let change = turn.take { claim(value, after: state.withLock { $0.latest }, preview) }
    finish(change)
  }

  /// Removes the stored value, revealing the default value or the value in another domain.
  public func reset() {
    let preview = backing.preview(nil)
    let change = turn.take {
      let latest = state.withLock { $0.latest }
      if latest.isDefault && latest.error == nil { return nil as Change? }
      return claim(Snapshot(preview ?? .absent, default: defaultValue), after: latest, saving: Saving(value: nil))
    }
    finish(change)
  }

  /// Rereads the value from the store after a change that the store cannot detect.
  ///
  /// If the value hasn't changed, no observer is called.
  public func notifyExternalChange() { reload() }

  /// Makes `value` the latest value and returns the change, or returns nil if the latest value already equals it.
  ///
  /// Must be called within the writer's turn.
  private func claim(_ value: Value, after latest: Snapshot, _ preview: StoredValue<Value>? = nil) -> Change? {
    // After an error, even an equal value is stored again.
    if latest.error == nil && comparison.areEqual(latest.value, value) { return nil }
    let kept = backing.kept(value)
    let stored = preview ?? kept.map(StoredValue.value) ?? .absent
    return claim(Snapshot(stored, default: defaultValue), after: latest, saving: Saving(value: kept))
  }

  /// Makes `snapshot` the latest state and returns the change, or returns nil if nothing differs and nothing must be
  /// stored.
  ///
  /// Must be called within the writer's turn.
  private func claim(_ snapshot: Snapshot, after latest: Snapshot, saving: Saving?) -> Change? {
    var properties: ReferenceProperties = []
    if !comparison.areEqual(latest.value, snapshot.value) { properties.insert(.value) }
    if latest.isDefault != snapshot.isDefault { properties.insert(.isDefault) }
    if !areSame(latest.error, snapshot.error) { properties.insert(.error) }
    if properties.isEmpty && saving == nil { return nil }
    var snapshot = snapshot
    snapshot.number = latest.number + 1
    let change = Change(snapshot: snapshot, properties: properties)
    state.withLock { state in
      state.latest = change.snapshot
      state.pending.formUnion(properties)
      state.undelivered.append(
        Delivery(
          old: latest.value, new: change.snapshot.value, properties: properties, number: change.snapshot.number))
      if let saving {
        state.failed = nil
        state.savingNumber = change.snapshot.number
        state.unsaved = (saving, change.snapshot.number)
      }
    }
    return change
  }

  private func areSame(_ error: (any Error)?, _ other: (any Error)?) -> Bool {
    switch (error, other) {
    case (nil, nil): true
    case (let error?, let other?): "\(error)" == "\(other)"
    default: false
    }
  }

  private func finish(_ change: Change?) {
    // Even if this call changes nothing, its value must be visible when it returns, but another thread may have claimed
    // the same value without having published it yet.
    if let change = change ?? hiddenChange { publish(change) }
    save()
    deliver()
  }

  /// The latest change, if it is not visible yet.
  private var hiddenChange: Change? {
    state.withLock { state in
      guard state.visible.number < state.latest.number else { return nil }
      return Change(snapshot: state.latest, properties: state.pending)
    }
  }

  /// Notifies observers, makes the change visible, and then notifies observers that registered in between.
  private func publish(_ change: Change) {
    let isOnMainThread = MainQueue.isCurrent
    // Skip any signal that another thread or an outer call is already firing.
    let announced = state.withLock { state in
      ReferenceProperty.allCases.compactMap { property -> (ReferenceProperty, StateSignal)? in
        guard change.properties.contains(.init(property)), property != .mainActorValue || isOnMainThread,
          let signal = state.signals[property], state.announced[property] !== signal
        else { return nil }
        state.announced[property] = signal
        return (property, signal)
      }
    }
    for (_, signal) in announced { signal.willSet() }
    let replaced = state.withLock { state in
      var replaced = state.swap(change)
      for (property, signal) in announced {
        if state.announced[property] === signal { state.announced[property] = nil }
        if state.signals[property] !== signal { replaced.append((property, signal)) }
      }
      return replaced
    }
    fire(replaced)
  }

  /// Notifies the observers of replaced states until nobody observes those states anymore.
  func fire(_ signals: [(property: ReferenceProperty, signal: StateSignal)]) {
    if signals.isEmpty { return }
    let isOnMainThread = MainQueue.isCurrent
    for (property, signal) in signals {
      // Code on the main actor that has just read the value registers its observer before the main queue runs this.
      if property == .mainActorValue { DispatchQueue.main.async { @Sendable in signal.fire() } }
      if property != .mainActorValue || isOnMainThread { signal.fire() }
      if property != .mainActorValue { signal.fireWhileObserved() }
    }
  }

  func storeDidChange(_ change: DefaultsChange) {
    if change.origin == .local {
      if takeEcho() { return }
      // The store has discarded an unreadable file, so it can now store the value that failed before.
      if change.keys == nil, let value = state.withLock({ $0.failed }) { return assign(value) }
    }
    reload()
  }

  /// Rereads the value from the store, or leaves that to the thread that is storing a value.
  func reload() {
    while true {
      let number = state.withLock { state -> Int? in
        if state.savingNumber > state.savedNumber {
          state.mustReload = true
          return nil
        }
        return state.latest.number
      }
      guard let number else { return }
      if follow(backing.load(), unlessAfter: number) { return }
    }
  }

  /// Adopts a loaded value, or returns false if a change made since it was loaded may have made it outdated.
  func follow(_ stored: StoredValue<Value>, unlessAfter number: Int) -> Bool {
    let outcome = turn.takeUnlessTaken { () -> (Bool, Change?) in
      let latest = state.withLock { $0.latest }
      guard latest.number == number else { return (false, nil) }
      var snapshot = Snapshot(stored, default: defaultValue)
      // If the store cannot be read, the last value stays visible.
      if case .failure = stored {
        snapshot.value = latest.value
        snapshot.isDefault = latest.isDefault
      } else {
        state.withLock { $0.undecodable = stored.undecodable }
      }
      return (true, claim(snapshot, after: latest, saving: nil))
    }
    guard let outcome else {
      // This thread is inside a `withLock` closure, so reload the value afterward.
      state.withLock { $0.mustReload = true }
      return true
    }
    if let change = outcome.1 {
      publish(change)
      deliver()
    }
    return outcome.0
  }

  /// Adds an error to the latest state and returns the change.
  ///
  /// Returns nil if the state already has that error, or if this thread already has the writer's turn.
  func claim(_ error: any Error) -> Change? {
    let change = turn.takeUnlessTaken { () -> Change? in
      var snapshot = state.withLock { $0.latest }
      let latest = snapshot
      snapshot.error = error
      return claim(snapshot, after: latest, saving: nil)
    }
    return change ?? nil
  }

  func fail(_ error: any Error) {
    guard let change = claim(error) else { return }
    publish(change)
    deliver()
  }
}

extension SharedReference.State {
  /// Makes a change visible, unless a later one already is, and returns the replaced state's signals, which the caller
  /// must fire.
  mutating func swap(_ change: SharedReference.Change) -> [(ReferenceProperty, StateSignal)] {
    guard change.snapshot.number > visible.number else { return [] }
    visible = change.snapshot
    let changed = pending
    if visible.number == latest.number { pending = [] }
    var replaced: [(ReferenceProperty, StateSignal)] = []
    for property in ReferenceProperty.allCases where changed.contains(.init(property)) {
      guard let signal = signals[property] else { continue }
      signals[property] = nil
      if announced[property] !== signal { replaced.append((property, signal)) }
    }
    return replaced
  }
}
