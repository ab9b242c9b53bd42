import Plist

// How a key's reference is found, and where the reference keeps its value.

extension DefaultsStore {
  /// Returns a reference to a key's value.
  ///
  /// All callers that use the key with the same value type, coding and nil policy share the reference.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The reference, which starts out with the stored value. The store doesn't retain it.
  public func reference<Value>(for key: DefaultKey<Value>) -> SharedReference<Value> {
    let hub = StoreHub.hubs.object(for: identity) { StoreHub(self) }
    let id = ReferenceID(
      owner: ObjectIdentifier(hub), type: ObjectIdentifier(Value.self),
      key: StoredKey(name: ExactKey(key.name), coding: key.coding.name, nilPolicy: key.nilPolicy))
    return id.reference {
      let backing = StoreBacking(hub: hub, key: key)
      let reference = SharedReference(
        default: key.defaultValue, backing: backing, comparison: key.coding.comparison)
      reference.connect(
        hub.follow(key.name) { [weak reference] change in reference?.storeDidChange(change) })
      return reference
    }
  }
}

extension PersistenceKey {
  /// Returns the key's reference in the current scope.
  func reference(default value: Value) -> SharedReference<Value> {
    if let key = self as? StoreKey<Value> { return key.store.reference(for: key.key(default: value)) }
    let scope = DefaultsScope.current
    let id = ReferenceID(
      owner: scope.map { ObjectIdentifier($0) }, type: ObjectIdentifier(Self.self), key: self)
    return id.reference {
      // Start the stream before loading the value, so that no update is missed.
      let updates = updates
      let backing: any ReferenceBacking<Value> =
        (self as? InMemoryKey<Value>)?.backing ?? KeyBacking(key: self, defaultValue: value)
      let reference = SharedReference(default: value, backing: backing, comparison: ValueComparison())
      let following = Task.detached { [weak reference] in
        // The update can be older than the stored value, so reload the value instead of using the update.
        for await _ in updates { reference?.reload() }
      }
      // The subscription retains the scope, since a new scope could otherwise get the same `ObjectIdentifier`.
      reference.connect(DefaultsSubscription { withExtendedLifetime(scope) { following.cancel() } })
      return reference
    }
  }
}

/// Identifies a reference within the process.
private struct ReferenceID: Hashable {
  /// The store's hub, or the task-local scope if the key has no store.
  let owner: ObjectIdentifier?
  /// The type of the value, or of the key if it has no store.
  let type: ObjectIdentifier
  let key: AnyHashable

  init(owner: ObjectIdentifier?, type: ObjectIdentifier, key: some Hashable) {
    self.owner = owner
    self.type = type
    self.key = AnyHashable(key)
  }

  private static let references = WeakRegistry<ReferenceID, AnyObject>()

  func reference<Value>(_ make: () -> SharedReference<Value>) -> SharedReference<Value> {
    guard let reference = Self.references.object(for: self, make: make) as? SharedReference<Value> else {
      preconditionFailure("two equal keys have values of different types")
    }
    return reference
  }
}

/// A key in a store, together with how its value is encoded.
///
/// Each coding of the value has its own reference.
private struct StoredKey: Hashable {
  let name: ExactKey
  let coding: String
  let nilPolicy: NilPolicy
}

/// Forwards a store's changes to the references of the changed keys, using one subscription for all references.
private final class StoreHub: Sendable {
  static let hubs = WeakRegistry<DefaultsStoreIdentity, StoreHub>()

  /// The store itself, without the wrapper that ``store`` may add.
  let source: any DefaultsStore
  let store: any OwnStore
  /// The references' handlers, by key.
  ///
  /// Canonically equal keys share an entry, since a ``DefaultsChange`` contains only one of them.
  private let followers = Guarded<[String: Subscribers<DefaultsChange>]>([:])
  private let subscriptions = Guarded<[DefaultsSubscription]>([])
  /// Recursive, since subscribing to a store can run code that creates references on the same thread.
  private let connecting = Lock(isRecursive: true)

  init(_ store: any DefaultsStore) { (source, self.store) = (store, store.own) }

  func follow(
    _ key: String, _ handler: @escaping @Sendable (DefaultsChange) -> Void
  ) -> DefaultsSubscription {
    connect()
    return followers.withLock { followers in
      let subscribers = followers[key] ?? Subscribers()
      followers[key] = subscribers
      return subscribers.add(handler) {
        self.followers.withLock { if $0[key]?.isEmpty == true { $0[key] = nil } }
      }
    }
  }

  /// Subscribes to the store, unless an earlier reference has already done so.
  private func connect() {
    connecting.withLock {
      if subscriptions.withLock({ !$0.isEmpty }) { return }
      let changes = store.subscribe { [weak self] change in self?.handle(change) }
      let failures = store.subscribeToFailures { [weak self] keys in
        self?.handle(DefaultsChange(origin: .external, keys: keys))
      }
      subscriptions.withLock { $0 = [changes] + [failures].compactMap(\.self) }
    }
  }

  private func handle(_ change: DefaultsChange) {
    let concerned = followers.withLock { followers in
      change.keys.map { $0.compactMap { followers[$0] } } ?? Array(followers.values)
    }
    for subscribers in concerned { subscribers.send(change) }
  }
}

/// Where a reference keeps its value: in a store, through a custom ``PersistenceKey``, or in another reference.
protocol ReferenceBacking<Value>: Sendable {
  associatedtype Value: Sendable

  func load() -> StoredValue<Value>

  /// Stores a value, or removes the stored one if `value` is nil, and returns whether exactly that is now visible.
  ///
  /// If the stored value is still `undecodable`, which the reference could not decode, the store keeps a copy of it.
  /// Stores that support `didStore` call it after storing the value and before notifying subscribers.
  func save(_ value: Value?, keeping undecodable: PropertyList?, didStore: () -> Void) throws -> Bool

  /// Returns the value to store, or nil if `value` is nil and the key's policy is to remove the stored value.
  func kept(_ value: Value) -> Value?

  /// The store that keeps the value, and the value's key there, or nil if the value isn't in a ``DefaultsStore``.
  var place: (store: any DefaultsStore, key: String)? { get }

  /// Returns what will be visible after saving `value`, or nil if that is `value` itself.
  ///
  /// If `value` is nil, the stored value will be removed.
  func preview(_ value: Value?) -> StoredValue<Value>?
}

extension ReferenceBacking {
  func kept(_ value: Value) -> Value? { value }
  var place: (store: any DefaultsStore, key: String)? { nil }
  func preview(_ value: Value?) -> StoredValue<Value>? { nil }
}

enum StoredValue<Value: Sendable>: Sendable {
  case absent
  case value(Value)
  /// A stored property list that cannot be decoded.
  case undecodable(PropertyList, any Error)
  case failure(any Error)
  /// A complete visible state, used for a part of a value and for a value whose delayed write has failed.
  case visible(Value, isDefault: Bool, error: (any Error)?)
}

/// The backing of a value that is shared but not stored.
struct NoBacking<Value: Sendable>: ReferenceBacking {
  func load() -> StoredValue<Value> { .absent }
  func save(_ value: Value?, keeping _: PropertyList?, didStore _: () -> Void) -> Bool { true }
}

/// The backing of a value with a custom key.
private struct KeyBacking<Key: PersistenceKey>: ReferenceBacking {
  let key: Key
  let defaultValue: Key.Value

  func load() -> StoredValue<Key.Value> {
    do { return try key.load().map(StoredValue.value) ?? .absent } catch { return .failure(error) }
  }

  func save(_ value: Key.Value?, keeping _: PropertyList?, didStore _: () -> Void) throws -> Bool {
    // A custom key cannot remove its value, so a reset saves the default.
    try key.save(value ?? defaultValue)
    return true
  }
}

private struct StoreBacking<Value: Sendable>: ReferenceBacking {
  let hub: StoreHub
  let key: DefaultKey<Value>

  var place: (store: any DefaultsStore, key: String)? { (hub.source, key.name) }

  func kept(_ value: Value) -> Value? { key.isRemoval(value) ? nil : value }

  func load() -> StoredValue<Value> {
    do {
      let stored = try decoded(hub.store.load(key.name))
      guard let failure = hub.store.failure(of: key.name) else { return stored }
      switch stored {
      case .value(let value): return .visible(value, isDefault: false, error: failure)
      case .absent: return .visible(key.defaultValue, isDefault: true, error: failure)
      default: return stored
      }
    } catch { return .failure(error) }
  }

  private func decoded(_ stored: PropertyList?) -> StoredValue<Value> {
    guard let stored else { return .absent }
    do { return .value(try key.decode(stored)) } catch {
      if hub.store.keepsJSON, let value = ForeignForms.json(Value.self, stored) { return .value(value) }
      return .undecodable(stored, error)
    }
  }

  func preview(_ value: Value?) -> StoredValue<Value>? {
    guard hub.store.isLayered else { return nil }
    do {
      let form = try value.flatMap { try key.encode($0) }
      let shown = try hub.store.load(key.name, afterSaving: form)
      return shown == form && form != nil ? nil : decoded(shown)
    } catch { return nil }
  }

  func save(_ value: Value?, keeping undecodable: PropertyList?, didStore: () -> Void) throws -> Bool {
    let form = try value.flatMap { try key.encode($0) }
    let isShown = try hub.store.save(form, for: key.name, keeping: undecodable, didStore: didStore)
    // A non-nil value that encodes as null has been removed, so it isn't visible.
    return isShown && (form == nil) == (value == nil)
  }
}

/// A registry that does not retain its objects.
package final class WeakRegistry<Key: Hashable, Object: AnyObject>: Sendable {
  private struct Entry {
    weak var object: Object?
  }

  private struct Entries {
    var byKey: [Key: Entry] = [:]
    /// The number of entries at which unused ones are removed.
    ///
    /// It is at least twice the number that remained the last time, so adding an entry takes constant time on average.
    var limit = 8
  }

  private let entries = Guarded(Entries())

  package init() {}

  /// Returns the object for a key; if another thread adds one while `make` runs, both threads get that object.
  package func object(for key: Key, make: () -> Object) -> Object {
    if let object = entries.withLock({ $0.byKey[key]?.object }) { return object }
    let new = make()
    // Objects found alive under the lock are released outside it, since releasing one can run its deinitializer.
    let (object, _) = entries.withLock { entries -> (Object, [Key: Object]) in
      if let object = entries.byKey[key]?.object { return (object, [:]) }
      var others: [Key: Object] = [:]
      if entries.byKey.count >= entries.limit {
        others = entries.byKey.compactMapValues(\.object)
        entries.byKey = entries.byKey.filter { others[$0.key] != nil }
        entries.limit = max(8, 2 * entries.byKey.count)
      }
      entries.byKey[key] = Entry(object: new)
      return (new, others)
    }
    return object
  }
}
