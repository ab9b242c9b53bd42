import Plist

/// A registry of `SharedReference` objects, for keys whose values are not in a ``DefaultsStore``.
enum KeyReferences {
  /// A key combined with the task-local scope that uses the key, so that tests in different scopes share no values.
  private struct ScopedKey: Hashable {
    let scope: ObjectIdentifier?
    let type: ObjectIdentifier
    let key: AnyHashable
  }

  private static let references = WeakRegistry<ScopedKey, AnyObject>()

  static func reference<Key: PersistenceKey>(for key: Key, default value: Key.Value) -> SharedReference<Key.Value> {
    let scope = DefaultsScope.current
    let scopedKey = ScopedKey(
      scope: scope.map { ObjectIdentifier($0) }, type: ObjectIdentifier(Key.self), key: AnyHashable(key))
    let reference = references.object(for: scopedKey) {
      // The stream of updates is created before the value is loaded, so that no update is missed.
      let updates = key.updates
      let backing: any ReferenceBacking<Key.Value> =
        (key as? InMemoryKey<Key.Value>)?.backing ?? KeyBacking(key: key, defaultValue: value)
      let reference = SharedReference(default: value, backing: backing, comparison: ValueComparison())
      let following = Task.detached { [weak reference] in
        // An update can be older than the stored value, so the reference loads the stored value instead of using the
        // update.
        for await _ in updates { reference?.reload() }
      }
      // The subscription retains the scope, since a new scope could otherwise have the same `ObjectIdentifier` as a
      // released scope.
      reference.connection.withLock {
        $0 = DefaultsSubscription { withExtendedLifetime(scope) { following.cancel() } }
      }
      return reference
    }
    guard let reference = reference as? SharedReference<Key.Value> else {
      preconditionFailure("two equal keys have values of different types")
    }
    return reference
  }
}

private struct KeyBacking<Key: PersistenceKey>: ReferenceBacking {
  let key: Key
  let defaultValue: Key.Value

  func load() -> StoredValue<Key.Value> {
    do { return try key.load().map(StoredValue.value) ?? .absent } catch { return .failure(error) }
  }

  func save(_ value: Key.Value?, keeping _: PropertyList?) throws -> Bool {
    // A custom key cannot remove its value, so resetting the value saves the default value.
    try key.save(value ?? defaultValue)
    return true
  }
}
