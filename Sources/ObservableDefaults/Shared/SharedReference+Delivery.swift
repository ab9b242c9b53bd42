extension SharedReference {
  /// A step that is left to do after changes.
  fileprivate enum Step {
    case deliver(Delivery)
    case reload
  }

  /// Calls observers, in the order of the changes.
  ///
  /// One thread at a time does so, for all others. If an observer sets the value, that change is delivered when the
  /// observer has returned.
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

  /// The new values, from now on.
  ///
  /// Each call returns a stream of its own. A stream keeps only the newest value until it is read. It keeps the
  /// reference, and ends when it is no longer used.
  public var updates: AsyncStream<Value> { stream(startingWithPresent: false) }

  /// The present value, and then the new ones, like ``updates``.
  public var values: AsyncStream<Value> { stream(startingWithPresent: true) }

  private func stream(startingWithPresent: Bool) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = observe { _, new in continuation.yield(new) }
    continuation.onTermination = { _ in subscription.cancel() }
    // Under the lock, so that no later change is delivered before.
    if startingWithPresent { state.withLock { _ = continuation.yield($0.visible.value) } }
    return stream
  }

  /// Calls a closure after each change of the value, with the old and the new one, in the order of the changes.
  ///
  /// It is called on the thread that made the change, or on one of the store's. If several threads make changes at
  /// once, it is called on one of these threads, once for each change.
  ///
  /// - Parameters:
  ///   - initial: Whether to call it at once too, with the present value for both.
  ///   - handler: The closure; it may change this value or any other.
  /// - Returns: A token that ends the calls when it is cancelled or released; it keeps the reference.
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
  /// Removes the next step, or notes that no thread is calling observers any more.
  fileprivate mutating func nextStep() -> SharedReference.Step? {
    // A change that is not visible or not stored yet is delivered by the thread that makes it so.
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
