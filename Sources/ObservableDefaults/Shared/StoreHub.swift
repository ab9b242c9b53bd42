import Plist

protocol StoreReference: AnyObject, Sendable {
  func storeDidChange(_ change: DefaultsChange)
}

extension DefaultsStore {
  /// Returns a reference to the value of a key.
  ///
  /// All users of the key with the same value type and coding share the reference.
  ///
  /// - Parameter key: The key of the value.
  /// - Returns: The reference, which begins with the stored value. The store does not retain the reference.
  public func reference<Value>(for key: DefaultKey<Value>) -> SharedReference<Value> {
    StoreHub.hubs.object(for: identity) { StoreHub(self) }.reference(for: key)
  }
}

/// A hub that passes each change of a store to the references for the changed keys.
final class StoreHub: Sendable {
  private struct WeakReference: Sendable {
    weak var reference: (any StoreReference)?
  }

  private struct State {
    /// The references by key.
    ///
    /// Canonically equal keys share an entry, since a ``DefaultsChange`` contains only one of these keys.
    ///
    /// Code that obtains an object from a weak reference must keep the object until the lock is released. The object's
    /// deinitializer acquires the hub's lock, so the deinitializer must not run while a thread holds that lock.
    var references: [String: [Int: WeakReference]] = [:]
    var lastNumber = 0
    /// A count of the store's changes, which shows whether the store changed while a value was being loaded.
    var changes = 0
  }

  /// The hub that is subscribing to its store in the current task.
  @TaskLocal static var subscribing: ObjectIdentifier?

  fileprivate static let hubs = WeakRegistry<DefaultsStoreIdentity, StoreHub>()

  /// The store as the program knows it.
  let source: any DefaultsStore
  let store: any OwnStore
  private let state = Guarded(State())
  private let subscription = Guarded<(changes: DefaultsSubscription, failures: DefaultsSubscription?)?>(nil)
  /// The lock is recursive, since subscribing to a store can run code that creates references on the same thread.
  private let connecting = Lock(isRecursive: true)

  init(_ store: any DefaultsStore) { (source, self.store) = (store, store.own) }

  /// Subscribes to the store before the first value is loaded, so that no change is missed.
  private func connect() {
    connecting.withLock {
      if subscription.withLock({ $0 != nil }) { return }
      let subscription = Self.$subscribing.withValue(ObjectIdentifier(self)) {
        store.subscribe { [weak self] change in self?.handle(change) }
      }
      let failures = store.subscribeToFailures { [weak self] keys in
        self?.handle(DefaultsChange(origin: .external, keys: keys))
      }
      self.subscription.withLock { $0 = (subscription, failures) }
    }
  }

  private func handle(_ change: DefaultsChange) {
    // The strong references to `SharedReference` objects are released outside of the lock, since each release can run a
    // deinitializer.
    let references = state.withLock { state -> [any StoreReference] in
      state.changes += 1
      guard let keys = change.keys else { return state.references.values.flatMap(\.values).compactMap(\.reference) }
      return keys.flatMap { state.references[$0]?.values.compactMap(\.reference) ?? [] }
    }
    for reference in references { reference.storeDidChange(change) }
  }

  func reference<Value>(for key: DefaultKey<Value>) -> SharedReference<Value> {
    connect()
    while true {
      let (known, changes, lastNumber) = state.withLock { state in
        (state.references[key.name]?.values.compactMap(\.reference) ?? [], state.changes, state.lastNumber)
      }
      if let reference = known.lazy.compactMap({ $0 as? SharedReference<Value> }).first(where: { $0.isFor(key) }) {
        return reference
      }
      let backing = StoreBacking(hub: self, key: key)
      let reference = SharedReference(
        default: key.defaultValue, backing: backing, comparison: key.coding.comparison)
      // If another thread has added a reference for the key, the loop starts again and finds that reference. If the
      // store has changed since the value was loaded, the loop discards the new reference and loads the value again.
      let number = state.withLock { state -> Int? in
        guard state.changes == changes, state.lastNumber == lastNumber else { return nil }
        state.lastNumber += 1
        state.references[key.name, default: [:]][state.lastNumber] = WeakReference(reference: reference)
        return state.lastNumber
      }
      guard let number else { continue }
      let name = key.name
      reference.connection.withLock { $0 = DefaultsSubscription { self.remove(name, number) } }
      return reference
    }
  }

  private func remove(_ key: String, _ number: Int) {
    state.withLock { state in
      state.references[key]?[number] = nil
      if state.references[key]?.isEmpty == true { state.references[key] = nil }
    }
  }
}

extension SharedReference: StoreReference {
  func storeDidChange(_ change: DefaultsChange) {
    if change.origin == .local, SavingReference.current?.expects(self) == true { return }
    // After an unreadable file is discarded, the store can accept a value that the store could not store before.
    if change.origin == .local, change.keys == nil, let value = state.withLock({ $0.failed }) { return assign(value) }
    reload()
  }

  /// Returns whether the reference has the name, coding and nil policy of the key; the caller has already checked the
  /// value type.
  fileprivate func isFor(_ key: DefaultKey<Value>) -> Bool {
    guard let backing = backing as? StoreBacking<Value> else { return false }
    return backing.key === key
      || ExactKey(backing.key.name) == ExactKey(key.name) && backing.key.coding.name == key.coding.name
        && backing.key.nilPolicy == key.nilPolicy
  }
}

private struct StoreBacking<Value: Sendable>: ReferenceBacking {
  let hub: StoreHub
  let key: DefaultKey<Value>

  var storedPropertyList: PropertyList? { try? hub.store.load(key.name) }

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

  var store: (any DefaultsStore)? { hub.source }

  var location: StoreLocation? { StoreLocation(hub: ObjectIdentifier(hub), key: key.name) }

  var isLayered: Bool { hub.store.isLayered }

  func preview(_ value: Value?) -> StoredValue<Value>? {
    guard isLayered else { return nil }
    do {
      let form = try value.flatMap { try key.encode($0) }
      let shown = try hub.store.load(key.name, afterSaving: form)
      // If the store will show the value that is being saved, decoding is unnecessary.
      return shown == form && form != nil ? nil : decoded(shown)
    } catch { return nil }
  }

  func isRemoval(_ value: Value) -> Bool { key.isRemoval(value) }

  func save(_ value: Value?, keeping undecodable: PropertyList?) throws -> Bool {
    let form = try value.flatMap { try key.encode($0) }
    try hub.store.save(form, for: key.name, keeping: undecodable)
    return form.map { hub.store.shows($0, for: key.name) } ?? false
  }
}

/// A registry that does not retain its objects.
package final class WeakRegistry<Key: Hashable, Object: AnyObject>: Sendable {
  private struct Entry {
    weak var object: Object?
  }

  private struct Entries {
    var byKey: [Key: Entry] = [:]
    /// The count of entries at which the registry removes unused entries.
    var limit = 8
  }

  private let entries = Guarded(Entries())

  package init() {}

  /// Returns the object for a key; if another thread adds an object while `make` runs, the method returns that object.
  package func object(for key: Key, make: () -> Object) -> Object {
    if let object = entries.withLock({ $0.byKey[key]?.object }) { return object }
    let new = make()
    // The strong references to the registry's other objects are released outside of the lock, since a release can run a
    // deinitializer.
    let (object, _) = entries.withLock { entries -> (Object, [Key: Object]) in
      if let object = entries.byKey[key]?.object { return (object, [:]) }
      var others: [Key: Object] = [:]
      // Unused entries are removed when the count of entries reaches `limit`. `limit` is at least twice the count of
      // entries that remained after the last removal, so adding an entry takes constant time on average.
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
