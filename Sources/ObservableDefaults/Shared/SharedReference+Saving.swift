import Plist

extension SharedReference {
  /// Waits until every earlier change has been stored or replaced by a later change.
  ///
  /// Only one thread at a time stores the value; other threads wait. If the store calls `save()` while storing the
  /// value, the inner call returns immediately, and the outer call stores the new value before it returns.
  func save() {
    var target = state.withLock { $0.savingNumber }
    var mayTakeOver = false
    while true {
      let step = state.withLock { state -> SaveStep in
        if state.savedNumber >= target { return .done }
        // To avoid a deadlock with a subscriber that waits for this thread, this thread waits at most 0.1 seconds for
        // the storing thread.
        if let saver = state.saver, !mayTakeOver || state.savedNumber < saver { return .wait }
        guard let (saving, number) = state.unsaved else { return .done }
        state.unsaved = nil
        state.saver = number
        return .save(saving, number)
      }
      switch step {
      case .done: return
      case .wait:
        switch SavingReference.current?.postpone(target, of: self) {
        case .postponed: return
        // If a subscriber of the store sets a new value after the outer call of `save()` has stored its value, the
        // subscriber's own call of `save()` stores the new value.
        case .committed where !mayTakeOver:
          mayTakeOver = true
          continue
        case .committed, nil: break
        }
        mayTakeOver = !saved.wait { state.withLock { $0.saver == nil || $0.savedNumber >= target } }
      case .save(let saving, let number): target = max(target, save(saving, number))
      }
    }
  }

  private enum SaveStep {
    case done
    case wait
    case save(Saving, Int)
  }

  /// Stores a value, and returns the sequence number of the latest change that inner calls of `save()` have postponed.
  private func save(_ saving: Saving, _ number: Int) -> Int {
    let value: Value? =
      switch saving {
      case .value(let value): value
      case .removal: nil
      }
    let token = SavingReference(self, backing.location) { [self] in
      state.withLock { $0.savedNumber = max($0.savedNumber, number) }
    }
    var replaced: [(ReferenceProperty, StateSignal)] = []
    // If the encoded value is null, the store removes the value, so the default value must become visible.
    var mustReload = backing.isLayered
    let undecodable = state.withLock { $0.undecodable }
    do {
      if try !token.withCurrent({ try backing.save(value, keeping: undecodable) }), value != nil { mustReload = true }
      state.withLock { $0.undecodable = nil }
      token.commit()
    } catch {
      // The error becomes visible before any observer is called, since observers can wait for other threads. If a later
      // change still has to be stored, the error is not shown.
      _ = token.end()
      if state.withLock({ $0.savingNumber == number }), let change = claim(error) {
        replaced = state.withLock { state in
          if state.latest.number == change.snapshot.number { state.failed = value }
          return state.swap(change)
        }
      }
    }
    state.withLock { state in
      state.savedNumber = max(state.savedNumber, number)
      if state.saver == number { state.saver = nil }
      if mustReload { state.mustReload = true }
    }
    saved.broadcast()
    fire(replaced)
    return token.postponed
  }
}

/// A token for a reference that is storing its value on the current thread.
final class SavingReference: Sendable {
  enum Postponement {
    /// An outer call of `save()` will store the change.
    case postponed
    /// The outer call of `save()` has already stored its own value, and will not store the change.
    case committed
  }

  @TaskLocal private static var inherited: SavingReference?

  /// The token of the innermost call that is storing a value on the current thread.
  ///
  /// A task that a store creates while storing a value also inherits the token, but runs on another thread.
  static var current: SavingReference? {
    guard let inherited, inherited.thread == CurrentThread.identifier else { return nil }
    return inherited.state.withLock { $0.isClosed } ? nil : inherited
  }

  private let thread = CurrentThread.identifier
  private let reference: ObjectIdentifier
  private let outer = SavingReference.current
  private let didCommit: @Sendable () -> Void
  private let location: StoreLocation?
  private let state = Guarded((isReceived: false, isFinished: false, isClosed: false, postponed: 0))

  init(_ reference: AnyObject, _ location: StoreLocation?, didCommit: @escaping @Sendable () -> Void) {
    self.reference = ObjectIdentifier(reference)
    self.location = location
    self.didCommit = didCommit
  }

  /// The sequence number of the latest change that inner calls of `save()` have postponed.
  var postponed: Int { state.withLock { $0.postponed } }

  /// Runs `body` with this token as the current token.
  func withCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    defer { state.withLock { $0.isClosed = true } }
    return try Self.$inherited.withValue(self, operation: body)
  }

  /// Lets an outer call of `save()` store the change, or returns nil if no outer call is storing a value of the same
  /// reference.
  ///
  /// Tokens can be nested, since code that a store calls while storing one value can store another value.
  func postpone(_ number: Int, of reference: AnyObject) -> Postponement? {
    var next: SavingReference? = self
    var postponement: Postponement?
    while let saving = next {
      if saving.reference == ObjectIdentifier(reference) {
        if saving.postpone(number) { return .postponed }
        postponement = .committed
      }
      next = saving.outer
    }
    return postponement
  }

  private func postpone(_ number: Int) -> Bool {
    state.withLock { state in
      if !state.isFinished { state.postponed = max(state.postponed, number) }
      return !state.isFinished
    }
  }

  /// Tells the token that the store has stored the value.
  func commit() { if end() { didCommit() } }

  /// Marks the token's value as stored if `hubs` contains the hub of the token's store, and `keys` contains the token's
  /// key.
  ///
  /// A store calls the method after storing the values of `keys`, and before calling the subscribers.
  func commit(_ keys: Set<String>, in hubs: [ObjectIdentifier]) {
    guard let location, hubs.contains(location.hub), let index = keys.firstIndex(of: location.key) else { return }
    // The set `keys` can contain another key that is canonically equal to the token's key.
    if ExactKey(keys[index]) == ExactKey(location.key) { commit() }
  }

  /// Ends the token, so that the token postpones no more changes, or returns false if the token had already ended.
  func end() -> Bool {
    state.withLock { state in
      defer { state.isFinished = true }
      return !state.isFinished
    }
  }

  /// Returns true for the first change that a reference receives while storing its value, since the reference itself
  /// made that change.
  func expects(_ reference: AnyObject) -> Bool {
    guard ObjectIdentifier(reference) == self.reference else { return false }
    return state.withLock { state in
      defer { state.isReceived = true }
      return !state.isReceived
    }
  }
}
