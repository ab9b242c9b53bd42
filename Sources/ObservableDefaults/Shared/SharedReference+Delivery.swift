import Plist

extension SharedReference {
  fileprivate enum Step {
    case deliver(Delivery)
    case reload
  }

  /// Delivers changes to observers in order, on one thread at a time, which also delivers other threads' changes.
  ///
  /// A change that an observer makes is delivered after the observer has returned.
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
        if delivery.properties.contains(.value) { observers.send(delivery) }
      case .reload: reload()
      }
    }
  }

  /// A stream of the values set after the stream is created.
  ///
  /// The stream buffers only the newest unread value, and retains the reference as long as the stream is in use.
  public var updates: AsyncStream<Value> { stream(startingWithPresent: false) }

  /// A stream that starts with the current value and continues with later ones.
  ///
  /// Like ``updates``, the stream buffers only the newest unread value.
  public var values: AsyncStream<Value> { stream(startingWithPresent: true) }

  private func stream(startingWithPresent: Bool) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = observe(initial: startingWithPresent) { _, new in continuation.yield(new) }
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }

  /// Calls a closure with the old and new values after each change, in the order of the changes.
  ///
  /// The closure is called once per change, either on a thread that made a change or on one of the store's threads, and
  /// its calls don't overlap. Changes made during the initial call are delivered after it, before the method returns.
  ///
  /// - Parameters:
  ///   - initial: Whether to also call the closure immediately, with the current value as both the old and the new
  ///     value.
  ///   - handler: The closure, which can change this or any other value.
  /// - Returns: A token that retains the reference. To stop observing, cancel or release the token.
  public func observe(
    initial: Bool = false, _ handler: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> DefaultsSubscription {
    guard initial else {
      return observers.add({ handler($0.old, $0.new) }, didEnd: { withExtendedLifetime(self) {} })
    }
    // Changes wait in `queue` until the initial call has returned. Once they have been delivered, `queue` is nil.
    let gate = Guarded((queue: [] as [Delivery]?, shown: 0))
    let subscription = observers.add(
      { delivery in
        let isNext = gate.withLock { gate in
          gate.queue?.append(delivery)
          return gate.queue == nil && delivery.number > gate.shown
        }
        if isNext { handler(delivery.old, delivery.new) }
      }, didEnd: { withExtendedLifetime(self) {} })
    let shown = read(nil)
    gate.withLock { $0.shown = shown.number }
    handler(shown.value, shown.value)
    func next() -> Delivery? {
      gate.withLock { gate in
        if gate.queue?.isEmpty == true { gate.queue = nil }
        return gate.queue?.removeFirst()
      }
    }
    while let next = next() {
      if next.number > shown.number { handler(next.old, next.new) }
    }
    return subscription
  }
}

extension SharedReference.State {
  /// Returns the next step, or nil to end delivery on this thread and let another thread start.
  fileprivate mutating func nextStep() -> SharedReference.Step? {
    // A change that isn't visible or stored yet is delivered later, by the thread that makes it visible or stores it.
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
