public import ObservableDefaults
public import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A defaults store whose values are in a cloud service, such as iCloud.
///
/// ```swift
/// let cloud = CloudStore(backend, synchronizesImmediately: true)
/// let volume = cloud.reference(for: DefaultKey("volume", default: 0.5))
/// volume.value = 0.75  // the default was not uploaded
/// ```
///
/// For changes made on other machines, `DefaultsChange.origin` is `DefaultsChange.Origin.remote(_:)`. The
/// associated value of `remote` is the reason that the service reports for the change. A change that would exceed the
/// service's limits throws an error. The store never uploads a default value.
///
/// **Development mode** keeps the values of a cloud store in memory and does not use the service. The initializer's
/// parameter `developmentMode` turns development mode on. SwiftUI previews (`XCODE_RUNNING_FOR_PREVIEWS=1`) and the
/// environment variable `OBSERVABLE_DEFAULTS_DEV_MODE=true` also turn development mode on.
public final class CloudStore: OwnStore {
  /// Limits for the keys and values in a cloud service.
  ///
  /// ```swift
  /// let cloud = CloudStore(MockCloudBackend(), limits: CloudStore.Limits(keyLength: 8))
  /// do { try cloud.save(true, for: "isSubscribed") } catch let error as DefaultsError {
  ///   print(error.code)  // keyTooLong
  /// }
  /// ```
  public struct Limits: Hashable, Sendable {
    /// The maximum number of keys.
    public var keys: Int
    /// The maximum size, in bytes, of a binary property list that contains all keys and values of the store.
    public var bytes: Int
    /// The maximum length of a key, in UTF-8 bytes.
    public var keyLength: Int

    /// Creates limits for a cloud service.
    ///
    /// The default limits are those of iCloud: 1,024 keys, 64 bytes for each key, and 1 MB for all keys and values
    /// together.
    ///
    /// - Parameters:
    ///   - keys: The greatest number of keys.
    ///   - bytes: The maximum total size of all keys and values, in bytes.
    ///   - keyLength: The greatest length of a key, in bytes.
    public init(keys: Int = 1024, bytes: Int = 1 << 20, keyLength: Int = 64) {
      self.keys = keys
      self.bytes = bytes
      self.keyLength = keyLength
    }
  }

  /// Whether the store is in development mode, which keeps values only in memory.
  public let isInDevelopmentMode: Bool
  /// Whether the store, after each change, asks the service to synchronize.
  public let synchronizesImmediately: Bool
  /// The limits for the keys and values in the store.
  public let limits: Limits

  /// A cloud service, which all stores with the same backend share.
  private final class Service: Sendable {
    let backend: any CloudKeyValueBackend
    let subscribers = Subscribers<DefaultsChange>()
    let writing = Lock()
    let updating = UpdatingThread()
    private let remote: DefaultsSubscription

    init(_ backend: any CloudKeyValueBackend) {
      self.backend = backend
      remote = backend.subscribe { [subscribers] reason, keys in
        subscribers.send(DefaultsChange(origin: .remote(reason), keys: keys))
      }
    }
  }

  private static let services = WeakRegistry<DefaultsStoreIdentity, Service>()

  private let service: Service
  private var backend: any CloudKeyValueBackend { service.backend }
  private var subscribers: Subscribers<DefaultsChange> { service.subscribers }

  /// Creates a store that keeps its values in a cloud service.
  ///
  /// - Parameters:
  ///   - backend: The cloud service. The new store asks the service once to synchronize.
  ///   - synchronizesImmediately: Whether the store, after each change, asks the service to synchronize.
  ///   - developmentMode: Whether the store keeps values only in memory. If the argument is nil, the environment
  ///     determines whether development mode is on.
  ///   - limits: The limits for the keys and values in the store.
  public init(
    _ backend: any CloudKeyValueBackend, synchronizesImmediately: Bool = false, developmentMode: Bool? = nil,
    limits: Limits = Limits()
  ) {
    isInDevelopmentMode = developmentMode ?? Self.isDevelopmentEnvironment(ProcessInfo.processInfo.environment)
    self.synchronizesImmediately = synchronizesImmediately
    self.limits = limits
    let backend = isInDevelopmentMode ? MockCloudBackend() : backend
    service = Self.services.object(for: DefaultsStoreIdentity(backend)) { Service(backend) }
    backend.synchronize()
  }

  static func isDevelopmentEnvironment(_ environment: [String: String]) -> Bool {
    environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" || environment["OBSERVABLE_DEFAULTS_DEV_MODE"] == "true"
  }

  package var mayChangeUnnoticed: Bool { true }

  /// The identity of the store.
  ///
  /// Two cloud stores with the same backend and the same options have the same identity. All cloud stores with the same
  /// backend notify each other's subscribers. A store in development mode has an identity of its own.
  public var identity: DefaultsStoreIdentity {
    DefaultsStoreIdentity(backend, options: "\(synchronizesImmediately) \(limits)")
  }

  /// Returns the value of a key, or nil if the key has no value.
  public func load(_ key: String) throws -> PropertyList? { backend.value(for: key) }

  /// Stores a value for a key; nil removes the key.
  ///
  /// - Throws: `DefaultsError` if the change would exceed one of the ``limits``, or if a binary property list cannot
  ///   represent the value. The service does not report a failure of the synchronization.
  /// - Complexity: Linear in the total size of all values in the store.
  public func save(_ value: PropertyList?, for key: String) throws { try update { $0[key] = value } }

  /// Changes several values atomically.
  ///
  /// - Throws: An error that `body` throws, or an error that ``save(_:for:)`` throws. If the method throws an error, no
  ///   value changes.
  public func update(_ body: (inout DefaultsBatch) throws -> Void) throws { try update(body, didStore: {}) }

  package func update(_ body: (inout DefaultsBatch) throws -> Void, didStore: () -> Void) throws {
    try service.updating.check()
    let changed = try service.writing.withLock {
      let before = backend.contents
      let (contents, changed) = try service.updating.run { try DefaultsBatch.apply(body, to: before) }
      try check(contents, changed)
      for key in changed { backend.set(contents[key], for: key) }
      return changed
    }
    if changed.isEmpty { return }
    if synchronizesImmediately { backend.synchronize() }
    didStore()
    subscribers.send(.local, Set(changed))
  }

  /// Calls a closure after each change of a value in the store.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    // The subscription retains the service, so that changes arrive even if the store has been released.
    subscribers.add(handler) { [service] in withExtendedLifetime(service) {} }
  }

  /// Exchanges new values with the cloud service.
  ///
  /// - Returns: Whether the store was able to ask the service to synchronize.
  @discardableResult public func synchronize() -> Bool { backend.synchronize() }

  private func check(_ contents: PropertyListDictionary, _ changed: [String]) throws {
    // Removing values is allowed even if the remaining values exceed the limits.
    let set = changed.filter { contents[$0] != nil }
    if set.isEmpty { return }
    if let key = set.first(where: { $0.utf8.count > limits.keyLength }) {
      throw DefaultsError(
        .keyTooLong, "the key \"\(key)\" has more bytes than the limit of \(limits.keyLength)", key: key)
    }
    guard contents.count <= limits.keys else {
      throw DefaultsError(
        .tooManyKeys, "the cloud store would have \(contents.count) keys; the limit is \(limits.keys) keys",
        key: set.first)
    }
    for key in set { try contents[key]?.checkDepth(of: key) }
    let size: Int
    do { size = try PropertyList.dictionary(contents).data(format: .binary).count } catch {
      throw DefaultsError(
        .unstorableValue, "the value cannot be written as a binary property list: \(error)", key: set.first)
    }
    guard size <= limits.bytes else {
      throw DefaultsError(
        .quotaExceeded,
        "the keys and values of the cloud store would have \(size) bytes; the limit is \(limits.bytes) bytes",
        key: set.first)
    }
  }
}

extension CloudStore {
  /// The user's cloud store: in iCloud on Apple's systems, and in memory on other systems.
  public static let standard = CloudStore(standardBackend)

  /// The user's cloud store, or what a test uses instead of it.
  static var replaceableStandard: any DefaultsStore {
    DefaultsStores.replacing("cloud", "the cloud") { standard }
  }

  private static var standardBackend: any CloudKeyValueBackend {
    #if canImport(Darwin)
    UbiquitousBackend.standard
    #else
    MockCloudBackend()
    #endif
  }
}
