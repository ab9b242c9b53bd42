/// The hubs of all stores that have references.
final class HubRegistry: Sendable {
  static let shared = HubRegistry()

  private struct WeakHub: Sendable {
    weak var hub: StoreHub?
  }

  private let hubs = Guarded<[DefaultsStoreIdentity: WeakHub]>([:])

  private init() {}

  /// The hub of a store, or of one that is the same.
  func hub(of store: any DefaultsStore) -> StoreHub {
    let identity = store.identity
    // Those that were looked at are released outside of the lock.
    let (hub, _) = hubs.withLock { hubs -> (StoreHub, [DefaultsStoreIdentity: StoreHub]) in
      if let hub = hubs[identity]?.hub { return (hub, [:]) }
      var others: [DefaultsStoreIdentity: StoreHub] = [:]
      // Keeps the list as long as there are hubs, at a cost that adds up to twice their number.
      if hubs.count & (hubs.count + 1) == 0 {
        others = hubs.compactMapValues(\.hub)
        hubs = hubs.filter { others[$0.key] != nil }
      }
      let hub = StoreHub(store)
      hubs[identity] = WeakHub(hub: hub)
      return (hub, others)
    }
    return hub
  }
}

extension DefaultsStore {
  /// The value of a key in this store, shared by all who use the key with the same type and default.
  ///
  /// - Parameter key: The key.
  /// - Returns: The reference, which begins with what is stored and is kept by whoever holds it.
  public func reference<Value>(for key: DefaultKey<Value>) -> SharedReference<Value> {
    HubRegistry.shared.hub(of: self).reference(for: key)
  }
}
