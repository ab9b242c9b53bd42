extension SharedReference {
  fileprivate enum Step {
    case deliver(Delivery)
    case reload
  }

  /// Only one thread at a time calls observers, in the order of the changes; that thread also delivers the changes of
  /// other threads.
  ///
  /// If an observer sets the value, that change is delivered after the observer has returned.
  func deliver() {
    let isOurs = state.withLock { state in
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isOurs else { return }
    while let step = state.withLock({ $0.nextStep() }) {
      switch step {
      case .deliver(let delivery): observers.send((delivery.old, delivery.new))
      case .reload: reload()
      }
    }
  }

  /// A new stream of the values that are set from now on.
  ///
  /// A stream keeps only the newest value that has not been read. The stream retains the reference, and ends when the
  /// stream is no longer used.
  public var updates: AsyncStream<Value> { stream(startingWithPresent: false) }

  /// A stream of the current value and all later values; see ``updates``.
  public var values: AsyncStream<Value> { stream(startingWithPresent: true) }

  private func stream(startingWithPresent: Bool) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = observe { _, new in continuation.yield(new) }
    continuation.onTermination = { _ in subscription.cancel() }
    // The current value is sent while the lock is held, so that no later change is delivered first.
    if startingWithPresent { state.withLock { _ = continuation.yield($0.visible.value) } }
    return stream
  }

  /// Calls a closure after each change of the value, with the old and the new value, in the order of the changes.
  ///
  /// The closure is called on the thread that made the change, or on a thread of the store. If several threads make
  /// changes concurrently, one of these threads calls the closure once for each change.
  ///
  /// - Parameters:
  ///   - initial: Whether to call the closure immediately as well, with the current value as both the old and the new
  ///     value.
  ///   - handler: The closure, which is allowed to change this value or any other value.
  /// - Returns: A token that retains the reference; cancelling or releasing the token ends the calls.
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
  /// If no step is left, `isDelivering` becomes false, so that another thread can call observers.
  fileprivate mutating func nextStep() -> SharedReference.Step? {
    // A change that is not yet visible or stored is delivered later, by the thread that makes it visible or stores it.
    if let next = undelivered.first, next.number <= visible.number,
      next.number <= savedNumber || next.number > savingNumber
    {
      undelivered.removeFirst()
      return .deliver(next)
    }
    if mustReload && savingNumber <= savedNumber {
      mustReload = false
      return .reload
    }
    isDelivering = false
    return nil
  }
}
