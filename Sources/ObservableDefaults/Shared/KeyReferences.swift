/// The references for keys that are not of the stores.
final class KeyReferences: Sendable {
  static let shared = KeyReferences()

  /// A key, in the task-local scope in which it is used: what tests share stays among each one's own.
  private struct ScopedKey: Hashable {
    let scope: ObjectIdentifier?
    let key: AnyHashable
  }

  private struct WeakReference {
    weak var reference: AnyObject?
    let number: Int
  }

  private struct State {
    var references: [ScopedKey: WeakReference] = [:]
    var lastNumber = 0
  }

  private let state = Guarded(State())

  private init() {}

  /// The reference for a key, made if there is none.
  func reference<Key: PersistenceKey>(for key: Key, default value: Key.Value) -> SharedReference<Key.Value> {
    let scope = DefaultsScope.current
    let scopedKey = ScopedKey(scope: scope.map { ObjectIdentifier($0) }, key: AnyHashable(key))
    if let known = state.withLock({ $0.references[scopedKey]?.reference }) as? SharedReference<Key.Value> {
      return known
    }
    // Before the value is loaded, so that none is missed.
    let updates = key.updates
    let reference = SharedReference(
      default: value, backing: KeyBacking(key: key, defaultValue: value), comparison: ValueComparison())
    let (known, number) = state.withLock { state -> (AnyObject?, Int) in
      if let known = state.references[scopedKey]?.reference { return (known, 0) }
      state.lastNumber += 1
      state.references[scopedKey] = WeakReference(reference: reference, number: state.lastNumber)
      return (nil, state.lastNumber)
    }
    // Where another thread was quicker, its reference is the one to use.
    if let known = known as? SharedReference<Key.Value> { return known }
    let following = Task.detached { [weak reference] in
      for await value in updates { _ = reference?.follow(.value(value)) }
    }
    reference.connection.withLock { connection in
      connection = DefaultsSubscription {
        following.cancel()
        // The scope lives as long as its identity is used.
        self.remove(ScopedKey(scope: scope.map { ObjectIdentifier($0) }, key: AnyHashable(key)), number)
      }
    }
    return reference
  }

  /// Forgets a reference that is gone.
  private func remove(_ key: ScopedKey, _ number: Int) {
    state.withLock { state in
      if state.references[key]?.number == number { state.references[key] = nil }
    }
  }
}

/// Backs a reference with a key that is not of the stores.
private struct KeyBacking<Key: PersistenceKey>: ReferenceBacking {
  let key: Key
  let defaultValue: Key.Value

  func load() -> StoredValue<Key.Value> {
    do { return try key.load().map(StoredValue.value) ?? .absent } catch { return .failure(error) }
  }

  func save(_ value: Key.Value?) throws {
    if let value { return try key.save(value) }
    // A key of the user's cannot remove its value.
    if let key = key as? InMemoryKey<Key.Value> { key.remove() } else { try key.save(defaultValue) }
  }
}
