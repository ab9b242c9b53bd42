#if canImport(Darwin)
public import Foundation
public import Plist

/// A service behind a ``CloudStore`` that uses iCloud's key-value store.
///
/// ```swift
/// let cloud = CloudStore(UbiquitousBackend.standard, synchronizesImmediately: true)
/// let volume = cloud.reference(for: DefaultKey("volume", default: 0.5))
/// ```
///
/// The conformance to `Sendable` is unchecked because Apple does not document its store as thread-safe. The unchecked
/// conformance to `Sendable` is sound, since the store is used only while the lock is held.
public final class UbiquitousBackend: CloudKeyValueBackend, @unchecked Sendable {
  /// The user's key-value store.
  public static let standard = UbiquitousBackend(.default)

  private let lock = NSLock()
  private let store: NSUbiquitousKeyValueStore
  /// Each value is converted from a Foundation object once; a change by another machine or process sets the cache to
  /// nil.
  private let cache = Guarded<PropertyListDictionary?>(nil)
  private let observation = Guarded<DefaultsSubscription?>(nil)

  /// Creates a service that uses a given store.
  public init(_ store: NSUbiquitousKeyValueStore) {
    self.store = store
    let observation = subscribe { _, _ in }
    self.observation.withLock { $0 = observation }
  }

  /// All values that are property lists.
  public var contents: PropertyListDictionary {
    if let contents = cache.withLock(\.self) { return contents }
    let contents = FoundationValue.dictionary(lock.withLock { store.dictionaryRepresentation })
    cache.withLock { $0 = contents }
    return contents
  }

  /// The value of a key, or nil if there is none.
  public func value(for key: String) -> PropertyList? { contents[key] }

  /// Stores a value; nil removes the key, and so do null and UIDs, which iCloud cannot store.
  public func set(_ value: PropertyList?, for key: String) {
    let object = value.flatMap { try? FoundationValue.object($0) }
    lock.withLock {
      if let object { store.set(object, forKey: key) } else { store.removeObject(forKey: key) }
    }
    cache.withLock { contents in
      if contents != nil { contents?[key] = object == nil ? nil : value }
    }
  }

  /// Exchanges new values with iCloud.
  ///
  /// - Returns: Whether the request could be made.
  @discardableResult public func synchronize() -> Bool { lock.withLock { store.synchronize() } }

  /// Calls a closure after changes by other machines, by other processes, or by the service.
  public func subscribe(
    _ handler: @escaping @Sendable (_ reason: CloudChangeReason, _ keys: Set<String>?) -> Void
  ) -> DefaultsSubscription {
    let observer = NotificationCenter.default.addObserver(
      forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: nil
    ) { [cache] notification in
      // The cache is cleared before the handler runs, so that no observer reads an outdated value.
      cache.withLock { $0 = nil }
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
