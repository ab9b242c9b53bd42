import Foundation
import Plist

/// A reference of any type that receives changes of a store.
protocol StoreReference: AnyObject, Sendable {
  /// Receives a change of the store that can affect the reference's value.
  func storeDidChange(_ change: DefaultsChange)
}

extension DefaultsStore {
  /// Returns a reference to the value of a key, shared by all users of the key with the same type and coding.
  ///
  /// - Parameter key: The key.
  /// - Returns: The reference, which begins with the stored value. The store does not retain the reference.
  public func reference<Value>(for key: DefaultKey<Value>) -> SharedReference<Value> {
    StoreHub.hubs.object(for: identity) { StoreHub(self) }.reference(for: key)
  }
}

/// A table of the references of one store, which passes each change to the references of its keys.
final class StoreHub: Sendable {
  private struct WeakReference: Sendable {
    weak var reference: (any StoreReference)?
  }

  private struct State {
    /// The references by key and number.
    ///
    /// Checking whether a reference has been released retains it, and releasing it again can run its deinitializer. So
    /// code that holds the lock does not make this check.
    var references: [String: [Int: WeakReference]] = [:]
    var lastNumber = 0
    /// The number of changes, which shows whether the store changed while a value was being loaded.
    var changes = 0
  }

  /// The hubs of all stores that have references.
  fileprivate static let hubs = WeakRegistry<DefaultsStoreIdentity, StoreHub>()

  let store: any DefaultsStore
  private let state = Guarded(State())
  private let subscription = Guarded<DefaultsSubscription?>(nil)
  /// A lock that a thread holds while it subscribes to the store.
  ///
  /// The lock is recursive, since the store can call code that creates references.
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
    // Strong references are released after the lock, since each can be the last reference to an object.
    let references = state.withLock { state -> [any StoreReference] in
      state.changes += 1
      guard let keys = change.keys else { return state.references.values.flatMap(\.values).compactMap(\.reference) }
      return keys.flatMap { state.references[$0]?.values.compactMap(\.reference) ?? [] }
    }
    for reference in references { reference.storeDidChange(change) }
  }

  /// Returns the reference for a key, its type and its coding; creates the reference if there is none.
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
      // If another thread has added a reference, the loop starts again and finds that reference. If the store changed
      // in the meantime, the new reference is outdated and is discarded.
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

  /// Removes a reference that has been released.
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
    // After an unreadable file was discarded, the store can accept the value that it could not store before.
    if change.origin == .local, change.keys == nil, let value = state.withLock(\.failed) { return assign(value) }
    reload()
  }

  /// Returns whether the reference has the coding and the nil policy of a key whose name and type match.
  fileprivate func isFor(_ key: DefaultKey<Value>) -> Bool {
    guard let backing = backing as? StoreBacking<Value> else { return false }
    return backing.key === key
      || backing.key.coding.name == key.coding.name && backing.key.nilPolicy == key.nilPolicy
  }
}

/// A backing that stores a reference's value for a key of a store.
private struct StoreBacking<Value: Sendable>: ReferenceBacking {
  let hub: StoreHub
  let key: DefaultKey<Value>

  var storedPropertyList: PropertyList? { try? hub.store.load(key.name) }

  func load() -> StoredValue<Value> {
    do { return try decoded(hub.store.load(key.name)) } catch { return .failure(error) }
  }

  private func decoded(_ stored: PropertyList?) -> StoredValue<Value> {
    guard let stored else { return .absent }
    do { return .value(try key.decode(stored)) } catch {
      // A command-line argument is a string, so it is decoded again as a number or a Boolean value.
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
      // If the saved value will itself be visible, decoding is unnecessary.
      return shown == form && form != nil ? nil : decoded(shown)
    } catch { return nil }
  }

  func isRemoval(_ value: Value) -> Bool { key.isRemoval(value) }

  func save(_ value: Value?) throws {
    try hub.store.save(value.flatMap { try key.encode($0) }, for: key.name)
  }
}
