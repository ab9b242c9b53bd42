extension SharedReference {
  /// What is left to do after changes.
  fileprivate enum Step {
    case save(Saving, Int)
    case tell(old: Value, new: Value, [AsyncStream<Value>.Continuation])
    case reload
  }

  /// Stores what is to be stored and tells observers, in the order of the changes.
  ///
  /// One thread at a time does so, for all others, so that no order is lost and nobody waits: an observer may set the
  /// value, and what comes of it is done when the observer has returned.
  func deliver() {
    let isOurs = state.withLock { state in
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isOurs else { return }
    while let step = state.withLock({ $0.nextStep() }) {
      switch step {
      case .save(let saving, let number): save(saving, number)
      case .tell(let old, let new, let streams):
        observers.send((old, new))
        for stream in streams { stream.yield(new) }
      case .reload: reload()
      }
    }
  }

  private func save(_ saving: Saving, _ number: Int) {
    let value: Value? =
      switch saving {
      case .value(let value): value
      case .removal: nil
      }
    let failure: (any Error)?
    do {
      try SavingReference.$current.withValue(SavingReference(self)) { try backing.save(value) }
      failure = nil
    } catch { failure = error }
    state.withLock { $0.savedNumber = max($0.savedNumber, number) }
    if let failure { fail(failure) }
  }

  /// The new values, from now on.
  ///
  /// Each call gives a stream of its own. A stream keeps the newest value until it is asked for, and drops older ones that
  /// have not been. It keeps the reference, and ends when it is no longer used.
  public var updates: AsyncStream<Value> { stream(startingWithPresent: false) }

  /// The present value, and then the new ones, as ``updates`` gives them.
  public var values: AsyncStream<Value> { stream(startingWithPresent: true) }

  private func stream(startingWithPresent: Bool) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      if startingWithPresent { continuation.yield(state.visible.value) }
      state.lastStream += 1
      state.streams[state.lastStream] = continuation
      return state.lastStream
    }
    continuation.onTermination = { _ in
      let continuation = self.state.withLock { $0.streams.removeValue(forKey: number) }
      withExtendedLifetime(continuation) {}
    }
    return stream
  }

  /// Calls a closure after each change of the value, with the old and the new one, in the order of the changes.
  ///
  /// It is called on the thread that made the change, or on one of the store's, or where several threads make changes at
  /// once, on one of theirs.
  ///
  /// - Parameters:
  ///   - initial: Whether to call it at once too, with the present value for both.
  ///   - handler: The closure; it may change this value or any other.
  /// - Returns: What ends the calls when it is cancelled or goes away; it keeps the reference.
  public func observe(
    initial: Bool = false, _ handler: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> DefaultsSubscription {
    let subscription = observers.add({ handler($0.old, $0.new) }, didEnd: { withExtendedLifetime(self) {} })
    if initial {
      let value = state.withLock { $0.visible.value }
      handler(value, value)
    }
    return subscription
  }
}

extension SharedReference.State {
  /// Takes the next thing to do, or says that nobody is at it any more.
  fileprivate mutating func nextStep() -> SharedReference.Step? {
    if let (saving, number) = unsaved {
      unsaved = nil
      return .save(saving, number)
    }
    if !undelivered.isEmpty {
      let (old, new) = undelivered.removeFirst()
      return .tell(old: old, new: new, Array(streams.values))
    }
    if mustReload && savingNumber <= savedNumber {
      mustReload = false
      return .reload
    }
    isDelivering = false
    return nil
  }
}

/// The reference that is storing its value on this thread; that the store tells of it is no news to it.
final class SavingReference: Sendable {
  @TaskLocal static var current: SavingReference?

  private let reference: ObjectIdentifier
  private let isTold = Guarded(false)

  init(_ reference: AnyObject) { self.reference = ObjectIdentifier(reference) }

  /// Whether a change that a reference is told of is the one that it is making.
  ///
  /// What it is told after that is done by
  /// those who were told of this one.
  func expects(_ reference: ObjectIdentifier) -> Bool {
    guard reference == self.reference else { return false }
    return isTold.withLock { isTold in
      defer { isTold = true }
      return !isTold
    }
  }
}
