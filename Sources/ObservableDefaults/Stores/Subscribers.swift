/// Those who want to hear of something.
final class Subscribers<Event: Sendable>: Sendable {
  typealias Handler = @Sendable (Event) -> Void

  private struct State {
    var handlers: [Int: Handler] = [:]
    var nextNumber = 0
  }

  private let state = Guarded(State())

  /// Whether there is nobody.
  var isEmpty: Bool { state.withLock { $0.handlers.isEmpty } }

  /// Adds one; `didEnd` is called when it is gone again.
  func add(_ handler: @escaping Handler, didEnd: @escaping @Sendable () -> Void = {}) -> DefaultsSubscription {
    let number = state.withLock { state in
      state.nextNumber += 1
      state.handlers[state.nextNumber] = handler
      return state.nextNumber
    }
    return DefaultsSubscription {
      // Released outside of the lock, as it may hold the last reference to anything.
      let handler = self.state.withLock { $0.handlers.removeValue(forKey: number) }
      if handler != nil { didEnd() }
    }
  }

  /// Tells everybody, in the order in which they came, on this thread.
  func send(_ event: Event) {
    let handlers = state.withLock { state in
      state.handlers.count < 2
        ? Array(state.handlers.values) : state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(event) }
  }
}

extension Subscribers<DefaultsChange> {
  /// Tells of a change, if there is one.
  func send(_ origin: DefaultsChange.Origin, _ keys: Set<String>) {
    if keys.isEmpty { return }
    if origin == .local { SavingReference.current?.commit() }
    send(DefaultsChange(origin: origin, keys: keys))
  }
}
