import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A key for a value in user defaults, in a file or in the cloud.
///
/// To create a key, use the `appStorage`, `fileStorage` and `cloud` methods of ``PersistenceKey``.
///
/// ```swift
/// let key: StoreKey<Double> = .appStorage("volume")
/// try key.save(0.75)
/// @Shared(key) var volume = 0.5  // 0.75, since that is stored
/// ```
public struct StoreKey<Value: Sendable>: PersistenceKey {
  /// Identifies the store that keeps a value.
  private enum Location: Hashable {
    case current
    case named(DefaultsStoreIdentity)
    case replaceable(String)
  }

  /// The name of the key in the store.
  public let name: String
  private let location: Location
  private let makeStore: @Sendable () -> any DefaultsStore
  private let coding: DefaultsCoding<Value>
  private let nilPolicy: NilPolicy

  private init(
    _ name: String, _ location: Location, _ nilPolicy: NilPolicy, _ coding: DefaultsCoding<Value>,
    _ makeStore: @escaping @Sendable () -> any DefaultsStore
  ) {
    self.name = name
    self.location = location
    self.makeStore = makeStore
    self.nilPolicy = nilPolicy
    self.coding = coding
  }

  init(appStorage name: String, store: (any DefaultsStoreSource)?, nilPolicy: NilPolicy, coding: DefaultsCoding<Value>)
  {
    if let store = store?.defaultsStore {
      self.init(name, store: store, nilPolicy: nilPolicy, coding: coding)
    } else {
      self.init(name, .current, nilPolicy, coding) { DefaultsStores.current }
    }
  }

  init(file url: URL, format: PlistFormat, saving: PropertyListFileStore.Saving, coding: DefaultsCoding<Value>) {
    let url = url.standardizedOutsideLinks
    let location = "\(url.absoluteString) \(format) \(saving)"
    self.init(DefaultsFile.valueKey, .replaceable(location), .remove, coding) {
      DefaultsStores.replacing(url.absoluteString, url.path) {
        PropertyListFileStore(url: url, format: format, saving: saving, layout: .value)
      }
    }
  }

  package init(
    _ name: String, store: any DefaultsStore, nilPolicy: NilPolicy = .remove, coding: DefaultsCoding<Value>
  ) {
    self.init(name, .named(store.identity), nilPolicy, coding) { store }
  }

  /// Creates a key in a store that tests can replace, such as the cloud.
  package init(
    _ name: String, in storeName: String, coding: DefaultsCoding<Value>,
    _ makeStore: @escaping @Sendable () -> any DefaultsStore
  ) {
    self.init(name, .replaceable(storeName), .remove, coding, makeStore)
  }

  /// Returns whether two keys refer to the same value with the same coding.
  public static func == (one: Self, other: Self) -> Bool {
    ExactKey(one.name) == ExactKey(other.name) && one.location == other.location
      && one.coding.name == other.coding.name && one.nilPolicy == other.nilPolicy
  }

  /// Hashes the key's name and store.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(location)
  }

  /// The store that keeps the value, which a task-local scope can replace for the current task.
  public var store: any DefaultsStore { makeStore() }

  func key(default value: Value) -> DefaultKey<Value> {
    DefaultKey(name, default: value, coding: coding, nilPolicy: nilPolicy)
  }

  /// Returns the stored value, or nil if no value is stored.
  ///
  /// - Throws: An error if the store cannot be read, or if the stored value has a different type.
  public func load() throws -> Value? {
    try store.load(name).map { try coding.decode($0) }
  }

  /// Stores a new value, or removes the key if the value encodes as null.
  ///
  /// If the existing value has a different type, the store keeps a copy of it.
  ///
  /// - Throws: An error if the value cannot be stored.
  public func save(_ value: Value) throws {
    let (store, key) = (store.own, key(default: value))
    let undecodable = key.undecodable(try? store.load(name))
    _ = try store.save(key.encode(value), for: name, keeping: undecodable, didStore: {})
  }

  /// A stream of the values stored after the stream is created.
  public var updates: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let store = store
    let subscription = store.subscribe { [name, coding] change in
      guard change.keys?.contains(name) != false, let stored = try? store.load(name) else { return }
      if let value = try? coding.decode(stored) { continuation.yield(value) }
    }
    // Load the value once, since a `UserDefaultsStore` observes only keys that have been loaded or saved.
    _ = try? store.load(name)
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }
}
