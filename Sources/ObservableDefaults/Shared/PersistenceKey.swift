import Plist

/// A key that determines where and how one value is stored.
///
/// ``Shared`` properties with equal keys share one value. To store values in another location, write a type that
/// conforms to `PersistenceKey`:
///
/// ```swift
/// struct EnvironmentKey: PersistenceKey {
///   let name: String
///   func load() -> String? { ProcessInfo.processInfo.environment[name] }
///   func save(_ value: String) { setenv(name, value, 1) }
///   var updates: AsyncStream<String> { AsyncStream { $0.finish() } }      // no changes by others
/// }
///
/// @Shared(EnvironmentKey(name: "EDITOR")) var editor = "ed"
/// ```
///
/// The methods of a key can be called from any thread. Calls of ``save(_:)`` for one value do not overlap, and follow the
/// order in which the value changes.
public protocol PersistenceKey<Value>: Hashable, Sendable {
  /// The type of the stored value.
  associatedtype Value: Sendable

  /// Loads the stored value, or returns nil if no value is stored.
  ///
  /// - Throws: An error if the value cannot be loaded; ``SharedReference/error`` reports the error.
  func load() throws -> Value?

  /// Stores a new value.
  ///
  /// - Throws: An error if the value cannot be stored; ``SharedReference/error`` reports the error.
  func save(_ value: Value) throws

  /// A stream of the values that other code or other processes set after the stream is created.
  ///
  /// After each element, the shared value is loaded with ``load()``. Therefore a key must add an element to the stream
  /// only after `load()` returns the new value. The stream can also include values that ``save(_:)`` has stored.
  var updates: AsyncStream<Value> { get }
}

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
