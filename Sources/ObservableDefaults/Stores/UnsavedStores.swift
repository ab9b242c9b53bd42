import Foundation

/// An object that writes later what it was given.
protocol Unsaved: AnyObject, Sendable {
  /// Writes what is left.
  func flush() throws
}

extension PropertyListFileStore: Unsaved {}

/// The objects that save later; what they have left is saved when the process exits or its app goes to the background.
final class UnsavedStores: Sendable {
  static let shared = UnsavedStores()

  private struct WeakStore: Sendable {
    weak var store: (any Unsaved)?
  }

  private let stores = Guarded<[WeakStore]>([])

  private init() {
    // Called on a normal exit only; it has no context, which is why there is one list for the process.
    atexit { UnsavedStores.shared.flush() }
    // Apps are ended without that when they are in the background.
    for name in Self.lastChances {
      _ = NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
        UnsavedStores.shared.flush()
      }
    }
  }

  /// The notifications of the application frameworks, by their names, as those need not be linked.
  private static let lastChances = [
    "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification",
    "UISceneDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    "WKApplicationDidEnterBackgroundNotification", "NSApplicationWillTerminateNotification",
    "NSApplicationDidResignActiveNotification",
  ]

  func add(_ store: any Unsaved) {
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
