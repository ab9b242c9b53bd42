#if canImport(Darwin) && !os(watchOS)
public import Foundation
public import Plist

/// iCloud's key-value store as the service behind a ``CloudStore``.
///
/// Unchecked because Apple does not say that its store may be used by several threads: sound since it is used only while
/// the lock is held.
public final class UbiquitousBackend: CloudKeyValueBackend, @unchecked Sendable {
  /// The user's.
  public static let standard = UbiquitousBackend(.default)

  private let lock = NSLock()
  private let store: NSUbiquitousKeyValueStore

  /// Uses a store of Apple's.
  public init(_ store: NSUbiquitousKeyValueStore) { self.store = store }

  /// All values that are property lists.
  public var contents: PropertyListDictionary {
    let objects = lock.withLock { store.dictionaryRepresentation }
    var contents: PropertyListDictionary = [:]
    for (key, object) in objects { contents[key] = try? FoundationValue.propertyList(object) }
    return contents
  }

  /// The value of a key, or nil where there is none.
  public func value(for key: String) -> PropertyList? {
    lock.withLock { store.object(forKey: key) }.flatMap { try? FoundationValue.propertyList($0) }
  }

  /// Keeps a value, or with nil removes the key; null and UIDs are not kept.
  public func set(_ value: PropertyList?, for key: String) {
    let object = value.flatMap { try? FoundationValue.object($0) }
    lock.withLock {
      if let object { store.set(object, forKey: key) } else { store.removeObject(forKey: key) }
    }
  }

  /// Asks iCloud for what is new, and gives it what it has not got.
  ///
  /// - Returns: Whether that could be asked for.
  @discardableResult public func synchronize() -> Bool { lock.withLock { store.synchronize() } }

  /// Calls a closure after changes that come from elsewhere.
  public func subscribe(
    _ handler: @escaping @Sendable (_ reason: CloudChangeReason, _ keys: Set<String>?) -> Void
  ) -> DefaultsSubscription {
    let observer = NotificationCenter.default.addObserver(
      forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: nil
    ) { notification in
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
