extension SharedReference {
  /// What is left to do after changes.
  fileprivate enum Step {
    case tell(Delivery, [AsyncStream<Value>.Continuation])
    case reload
  }

  /// Tells observers, in the order of the changes.
  ///
  /// One thread at a time does so, for all others: an observer may set the value, and the resulting change is delivered
  /// when the observer has returned.
  func deliver() {
    let isOurs = state.withLock { state in
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isOurs else { return }
    while let step = state.withLock({ $0.nextStep() }) {
      switch step {
      case .tell(let delivery, let streams):
        if let handler = delivery.handler {
          handler((delivery.old, delivery.new))
        } else {
          observers.send((delivery.old, delivery.new))
          for stream in streams { stream.yield(delivery.new) }
        }
      case .reload: reload()
      }
    }
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
  /// It is called on the thread that made the change, or on one of the store's. If several threads make changes at once,
  /// it is called on one of these threads, once for each change.
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

extension SharedReference {
  /// Calls a closure after each change, and at first if the value is not a given one any more.
  func observe(
    from value: Value, _ handler: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> DefaultsSubscription {
    let subscription = observe(initial: false, handler)
    let latest = state.withLock(\.latest.value)
    if comparison.areEqual(value, latest) { return subscription }
    // In order with the changes, so that the newest value comes last.
    state.withLock { state in
      state.undelivered.append(
        Delivery(old: value, new: state.latest.value, number: state.lastNumber) { handler($0.old, $0.new) })
    }
    deliver()
    return subscription
  }
}

extension SharedReference.State {
  /// Takes the next thing to do, or notes that no thread is telling observers any more.
  fileprivate mutating func nextStep() -> SharedReference.Step? {
    // A change that is not visible or not stored yet is delivered by the thread that makes it so.
    if let next = undelivered.first, next.number <= visibleNumber,
      next.number <= savedNumber || next.number > savingNumber
    {
      undelivered.removeFirst()
      return .tell(next, Array(streams.values))
    }
    if mustReload && savingNumber <= savedNumber {
      mustReload = false
      return .reload
    }
    isDelivering = false
    return nil
  }
}
