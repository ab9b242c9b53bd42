public import ObservableDefaults
public import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store that keeps values in a cloud service, such as iCloud.
///
/// ```swift
/// let cloud = CloudStore(backend, synchronizesImmediately: true)
/// let volume = cloud.reference(for: DefaultKey("volume", default: 0.5))
/// volume.value = 0.75  // the default was not uploaded
/// ```
///
/// For a change made on another machine, `DefaultsChange.origin` is `.remote` with the reason that the service reports.
/// Saving throws an error if it would exceed the service's limits. Default values are never uploaded.
///
/// **Development mode** keeps the values in memory and doesn't contact the service. The `developmentMode` parameter
/// turns it on or off. If the parameter is nil, development mode is on in SwiftUI previews
/// (`XCODE_RUNNING_FOR_PREVIEWS=1`) and when the environment variable `OBSERVABLE_DEFAULTS_DEV_MODE` is `true`.
public final class CloudStore: OwnStore {
  /// A cloud service's limits on the number and size of keys and values.
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
    /// The maximum size in bytes of all keys and values, encoded together as a binary property list.
    public var bytes: Int
    /// The maximum length of a key, in UTF-8 bytes.
    public var keyLength: Int

    /// Creates limits, which default to iCloud's: 1,024 keys of up to 64 bytes, and 1 MB for all keys and values
    /// together.
    ///
    /// - Parameters:
    ///   - keys: The maximum number of keys.
    ///   - bytes: The maximum size in bytes of all keys and values together.
    ///   - keyLength: The maximum length of a key, in UTF-8 bytes.
    public init(keys: Int = 1024, bytes: Int = 1 << 20, keyLength: Int = 64) {
      self.keys = keys
      self.bytes = bytes
      self.keyLength = keyLength
    }
  }

  /// Whether the store keeps values only in memory.
  public let isInDevelopmentMode: Bool
  /// Whether to ask the service to synchronize after each change.
  public let synchronizesImmediately: Bool
  /// The limits that the store enforces.
  public let limits: Limits

  /// The state shared by all stores with the same backend.
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

  /// Creates a store and asks the service to synchronize once.
  ///
  /// - Parameters:
  ///   - backend: The cloud service.
  ///   - synchronizesImmediately: Whether to ask the service to synchronize after each change.
  ///   - developmentMode: Whether to keep values only in memory; if nil, the environment decides.
  ///   - limits: The limits that the store enforces.
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
  /// Stores with the same backend and options have the same identity. A store in development mode shares its identity
  /// with no other store.
  ///
  /// All stores with the same backend notify each other's subscribers, even if their options differ.
  public var identity: DefaultsStoreIdentity {
    DefaultsStoreIdentity(backend, options: "\(synchronizesImmediately) \(limits)")
  }

  /// Returns the value for a key, or nil if there is none.
  public func load(_ key: String) throws -> PropertyList? { backend.value(for: key) }

  /// Stores a value for a key; nil removes the key.
  ///
  /// - Throws: `DefaultsError` if the change would exceed one of the ``limits``, or if the value cannot be part of a
  ///   binary property list. A failed upload isn't reported.
  /// - Complexity: O(*n*), where *n* is the size of all values in the store.
  public func save(_ value: PropertyList?, for key: String) throws { try update { $0[key] = value } }

  /// Changes several values, or none if the method throws.
  ///
  /// - Throws: Any error that `body` or ``save(_:for:)`` throws.
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

  /// Calls a closure after each change in the store.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    // The subscription keeps the service alive, so changes still arrive after the store has been deallocated.
    subscribers.add(handler) { [service] in withExtendedLifetime(service) {} }
  }

  /// Exchanges new values with the cloud service.
  ///
  /// - Returns: Whether the request could be made.
  @discardableResult public func synchronize() -> Bool { backend.synchronize() }

  private func check(_ contents: PropertyListDictionary, _ changed: [String]) throws {
    // Removing values is allowed even if the remaining ones exceed the limits.
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
  /// The user's cloud store, which is in iCloud on Apple platforms and in memory elsewhere.
  public static let standard = CloudStore(standardBackend)

  /// The user's cloud store, or its replacement in a test.
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
