import Foundation

/// The stores that save later, so that what they have left is saved when the process exits.
final class UnsavedStores: Sendable {
  static let shared = UnsavedStores()

  private struct WeakStore: Sendable {
    weak var store: PropertyListFileStore?
  }

  private let stores = Guarded<[WeakStore]>([])

  private init() {
    // Called on a normal exit only; it has no context, which is why there is one list for the process.
    atexit { UnsavedStores.shared.flush() }
  }

  func add(_ store: PropertyListFileStore) {
    stores.withLock { stores in
      // Keeps the list as long as there are stores, at a cost that adds up to twice their number.
      if stores.count & (stores.count + 1) == 0 { stores.removeAll { $0.store == nil } }
      stores.append(WeakStore(store: store))
    }
  }

  private func flush() {
    let stores = stores.withLock { $0.compactMap(\.store) }
    // There is nobody left to be told of a failure.
    for store in stores { try? store.flush() }
  }
}
