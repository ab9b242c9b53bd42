#if canImport(Darwin)
public import Foundation
public import ObservableDefaults
public import Plist

/// A cloud service that keeps values in iCloud's key-value store.
///
/// ```swift
/// let cloud = CloudStore(UbiquitousBackend.standard, synchronizesImmediately: true)
/// let volume = cloud.reference(for: DefaultKey("volume", default: 0.5))
/// ```
///
/// `@unchecked Sendable` is sound because the `NSUbiquitousKeyValueStore` is read and written only under a lock.
public final class UbiquitousBackend: CloudKeyValueBackend, @unchecked Sendable {
  /// The backend for the user's default iCloud key-value store.
  public static let standard = UbiquitousBackend(.default)

  private let lock = Lock()
  private let store: NSUbiquitousKeyValueStore
  /// The values by key, or nil if they must be read again because another machine or process has changed them, and the
  /// number of such changes.
  private let cache = Guarded<(contents: PropertyListDictionary?, changes: Int)>((nil, 0))
  private let observation = Guarded<DefaultsSubscription?>(nil)

  /// Creates a backend for an iCloud key-value store.
  public init(_ store: NSUbiquitousKeyValueStore) {
    self.store = store
    let observation = subscribe { _, _ in }
    self.observation.withLock { $0 = observation }
  }

  /// All values in iCloud that are property lists, by key.
  public var contents: PropertyListDictionary {
    if let contents = cache.withLock({ $0.contents }) { return contents }
    return lock.withLock {
      let changes = cache.withLock { $0.changes }
      let contents = FoundationValue.dictionary(store.dictionaryRepresentation)
      // If a change arrived meanwhile, these values may already be outdated, so don't keep them.
      cache.withLock { if $0.changes == changes { $0.contents = contents } }
      return contents
    }
  }

  /// Returns the value for a key, or nil if there is none.
  public func value(for key: String) -> PropertyList? { contents[key] }

  /// Stores a value for a key; nil removes the key.
  ///
  /// A value that iCloud cannot store, such as null or a UID, also removes the key.
  public func set(_ value: PropertyList?, for key: String) {
    let object = value.flatMap { try? FoundationValue.object($0) }
    // The cache changes under the same lock, so that it agrees with the store if two threads set the key.
    lock.withLock {
      if let object { store.set(object, forKey: key) } else { store.removeObject(forKey: key) }
      cache.withLock { $0.contents?[key] = object == nil ? nil : value }
    }
  }

  /// Exchanges new values with iCloud.
  ///
  /// - Returns: Whether iCloud accepted the request.
  @discardableResult public func synchronize() -> Bool { lock.withLock { store.synchronize() } }

  /// Calls a closure after each change made by another machine, another process, or iCloud itself.
  public func subscribe(
    _ handler: @escaping @Sendable (_ reason: CloudChangeReason, _ keys: Set<String>?) -> Void
  ) -> DefaultsSubscription {
    let observer = NotificationCenter.default.addObserver(
      forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: nil
    ) { [cache] notification in
      // Clear the cache before calling the handler, so that no observer reads an outdated value.
      cache.withLock { $0 = (nil, $0.changes + 1) }
      let keys = notification.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String]
      let reason = notification.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
      handler(Self.reason(reason), keys.map(Set.init))
    }
    let held = Guarded<(any NSObjectProtocol)?>(observer)
    return DefaultsSubscription {
      held.withLock { observer in
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
      }
    }
  }

  private static func reason(_ number: Int?) -> CloudChangeReason {
    switch number {
    case NSUbiquitousKeyValueStoreInitialSyncChange: .initialSync
    case NSUbiquitousKeyValueStoreQuotaViolationChange: .quotaViolation
    case NSUbiquitousKeyValueStoreAccountChange: .accountChange
    default: .serverChange
    }
  }
}
#endif
