extension SharedReference {
  fileprivate enum Step {
    case deliver(Delivery)
    case reload
  }

  /// Calls observers on only one thread at a time, in the order of the changes.
  ///
  /// The thread that is calling observers also delivers the changes of other threads. If an observer sets the value,
  /// the new change is delivered after the observer has returned.
  func deliver() {
    let isOurs = state.withLock { state in
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isOurs else { return }
    while let step = state.withLock({ $0.nextStep() }) {
      switch step {
      case .deliver(let delivery):
        parts.send(())
        if delivery.properties.contains(.value) { observers.send((delivery.old, delivery.new)) }
      case .reload: reload()
      }
    }
  }

  /// A stream of the values that are set after the stream is created.
  ///
  /// The stream keeps only the newest value that has not been read. The stream retains the reference, and ends when the
  /// stream is no longer used.
  public var updates: AsyncStream<Value> { stream(startingWithPresent: false) }

  /// A stream of the current value and all later values.
  ///
  /// Like ``updates``, the stream keeps only the newest value that has not been read.
  public var values: AsyncStream<Value> { stream(startingWithPresent: true) }

  private func stream(startingWithPresent: Bool) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = observe { _, new in continuation.yield(new) }
    continuation.onTermination = { _ in subscription.cancel() }
    // The lock is held while the current value is sent, so that no later change is delivered first.
    if startingWithPresent { state.withLock { _ = continuation.yield($0.visible.value) } }
    return stream
  }

  /// Calls a closure with the old and the new value after each change, in the order of the changes.
  ///
  /// The closure is called on the thread that made the change, or on a thread of the store. If several threads make
  /// changes concurrently, one of these threads calls the closure once for each change.
  ///
  /// - Parameters:
  ///   - initial: Whether the closure is also called immediately, with the current value as both the old and the new
  ///     value.
  ///   - handler: The closure, which can change this value or any other value.
  /// - Returns: A token that retains the reference. To stop observing, cancel or release the token.
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
  /// Returns the next step of delivering changes to observers, or nil if no step is left and another thread can start
  /// delivering.
  fileprivate mutating func nextStep() -> SharedReference.Step? {
    // A change that is not yet visible or stored is delivered later, by the thread that makes the change visible or
    // stores it.
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
