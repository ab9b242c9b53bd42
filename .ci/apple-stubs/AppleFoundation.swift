// Stands in for the parts of Apple's Foundation that Linux lacks: key-value observing and iCloud's key-value store.
@_exported public import Foundation

open class NSObject: Foundation.NSObject {
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}
}

public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}

extension UserDefaults {
  public func addObserver(
    _ observer: AppleFoundation.NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {}
  public func removeObserver(_ observer: AppleFoundation.NSObject, forKeyPath keyPath: String) {}
}

open class NSUbiquitousKeyValueStore: Foundation.NSObject {
  public class var `default`: NSUbiquitousKeyValueStore { NSUbiquitousKeyValueStore() }
  public static let didChangeExternallyNotification = Notification.Name("didChangeExternally")
  open var dictionaryRepresentation: [String: Any] { [:] }
  open func object(forKey aKey: String) -> Any? { nil }
  open func set(_ anObject: Any?, forKey aKey: String) {}
  open func removeObject(forKey aKey: String) {}
  open func synchronize() -> Bool { true }
}

public let NSUbiquitousKeyValueStoreChangeReasonKey = "reason"
public let NSUbiquitousKeyValueStoreChangedKeysKey = "keys"
public var NSUbiquitousKeyValueStoreServerChange: Int { 0 }
public var NSUbiquitousKeyValueStoreInitialSyncChange: Int { 1 }
public var NSUbiquitousKeyValueStoreQuotaViolationChange: Int { 2 }
public var NSUbiquitousKeyValueStoreAccountChange: Int { 3 }
