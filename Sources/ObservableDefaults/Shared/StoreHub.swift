import Foundation
import Plist

/// A reference as its hub knows it.
protocol StoreReference: AnyObject, Sendable {
  /// The store's value may have changed.
  func storeDidChange(_ change: DefaultsChange)
}

/// Brings the changes of one store to the references of the keys concerned, and to nobody else.
final class StoreHub: Sendable {
  private struct WeakReference: Sendable {
    weak var reference: (any StoreReference)?
  }

  private struct State {
    /// By key, and by a number: whether one is gone is not looked at while the lock is held, as looking holds it.
    var references: [String: [Int: WeakReference]] = [:]
    var lastNumber = 0
    /// How many changes there were, to find out that one came while a value was being loaded.
    var changes = 0
  }

  let store: any DefaultsStore
  private let state = Guarded(State())
  private let subscription = Guarded<DefaultsSubscription?>(nil)
  /// Held while the hub subscribes; the store may call those who make references then.
  private let connecting = NSRecursiveLock()

  init(_ store: any DefaultsStore) { self.store = store }

  /// Subscribes to the store before the first value is loaded, so that no change is missed.
  private func connect() {
    connecting.withLock {
      if subscription.withLock({ $0 != nil }) { return }
      let subscription = store.subscribe { [weak self] change in self?.handle(change) }
      self.subscription.withLock { $0 = subscription }
    }
  }

  private func handle(_ change: DefaultsChange) {
    // Strong references are released after the lock, as they may be the last ones.
    let references = state.withLock { state -> [any StoreReference] in
      state.changes += 1
      guard let keys = change.keys else { return state.references.values.flatMap(\.values).compactMap(\.reference) }
      return keys.flatMap { state.references[$0]?.values.compactMap(\.reference) ?? [] }
    }
    for reference in references { reference.storeDidChange(change) }
  }

  /// The reference for a key that is as asked for, or else a new one.
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
      // Where another thread was quicker, its reference is the one to use; after a change, this one is out of date.
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

  /// Forgets a reference that is gone.
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
    // A store that starts anew takes what it could not take before.
    if change.origin == .local, change.keys == nil, let value = state.withLock(\.failed) { return assign(value) }
    reload()
  }

  /// Whether the reference serves a key, which is known to have the same name and type.
  fileprivate func isFor(_ key: DefaultKey<Value>) -> Bool {
    guard let backing = backing as? StoreBacking<Value> else { return false }
    return backing.key === key
      || backing.key.coding.name == key.coding.name && backing.key.nilPolicy == key.nilPolicy
  }
}

/// Backs a reference with a key of a store.
struct StoreBacking<Value: Sendable>: ReferenceBacking, PropertyListBacking {
  let hub: StoreHub
  let key: DefaultKey<Value>

  var propertyList: PropertyList? { try? hub.store.load(key.name) }

  func load() -> StoredValue<Value> {
    do { return try decoded(hub.store.load(key.name)) } catch { return .failure(error) }
  }

  private func decoded(_ stored: PropertyList?) -> StoredValue<Value> {
    guard let stored else { return .absent }
    do { return .value(try key.decode(stored)) } catch {
      // A command line has words only.
      if let argument = (hub.store as? SearchListStore)?.typedArgument(for: key.name),
        let value = try? key.decode(argument)
      {
        return .value(value)
      }
      return .undecodable(stored, error)
    }
  }

  var isLayered: Bool { hub.store is any LayeredStore }

  func preview(_ value: Value?) -> StoredValue<Value>? {
    guard let store = hub.store as? any LayeredStore else { return nil }
    do {
      let form = try value.flatMap { try key.encode($0) }
      let shown = try store.load(key.name, afterSaving: form)
      // A value that is going to be seen as it is need not be decoded.
      return shown == form && form != nil ? nil : decoded(shown)
    } catch { return nil }
  }

  func isRemoval(_ value: Value) -> Bool { key.isRemoval(value) }

  func save(_ value: Value?) throws {
    try hub.store.save(value.flatMap { try key.encode($0) }, for: key.name)
  }
}

/// A backing that knows what is stored.
protocol PropertyListBacking {
  var propertyList: PropertyList? { get }
}
