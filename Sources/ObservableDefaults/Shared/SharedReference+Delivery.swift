import Plist

extension SharedReference {
  fileprivate enum Step {
    case deliver(Delivery)
    case reload
  }

  /// Calls observers in the order of the changes, on one thread at a time, which also delivers the changes of other
  /// threads.
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

  /// A stream of the values that are set after the stream is created.
  ///
  /// It keeps only the newest value that has not been read, and retains the reference until it is no longer used.
  public var updates: AsyncStream<Value> { stream(startingWithPresent: false) }

  /// A stream of the current value and all later values.
  ///
  /// Like ``updates``, the stream keeps only the newest value that has not been read.
  public var values: AsyncStream<Value> { stream(startingWithPresent: true) }

  private func stream(startingWithPresent: Bool) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = observe(initial: startingWithPresent) { _, new in continuation.yield(new) }
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }

  /// Calls a closure with the old and the new value after each change, in the order of the changes.
  ///
  /// The closure is called once for each change, on a thread that made one or on a thread of the store, and its calls do
  /// not overlap. Changes during the initial call are delivered after it, before the method returns.
  ///
  /// - Parameters:
  ///   - initial: Whether the closure is also called at once, with the current value as the old and the new one.
  ///   - handler: The closure, which can change this value or any other value.
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
  /// Returns the next step, or nil, which ends the delivery on this thread and lets another start.
  fileprivate mutating func nextStep() -> SharedReference.Step? {
    // A change that is not yet visible or not yet stored is delivered later, by the thread that completes that step.
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
