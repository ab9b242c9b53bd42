import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A key for a value in user defaults, in a file or in the cloud.
///
/// To create a key, use `appStorage`, `fileStorage` or `cloud` of ``PersistenceKey``.
///
/// ```swift
/// let key: StoreKey<Double> = .appStorage("volume")
/// try key.save(0.75)
/// @Shared(key) var volume = 0.5  // 0.75, since that is stored
/// ```
public struct StoreKey<Value: Sendable>: PersistenceKey {
  /// Identifies the store of a value.
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

  /// Creates a key in a store that tests replace, such as the cloud.
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

  /// Hashes the name of the key and the store of the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(location)
  }

  /// The store of the value, which a task-local scope can replace for the current task.
  public var store: any DefaultsStore { makeStore() }

  func key(default value: Value) -> DefaultKey<Value> {
    DefaultKey(name, default: value, coding: coding, nilPolicy: nilPolicy)
  }

  /// Loads the stored value, or returns nil if no value is stored.
  ///
  /// - Throws: An error if the store cannot be read, or if the stored value has another type.
  public func load() throws -> Value? {
    try store.load(name).map { try coding.decode($0) }
  }

  /// Stores a new value; if the encoded property list is null, the store removes the key.
  ///
  /// If the stored value has another type, the store keeps a copy of it.
  ///
  /// - Throws: An error if the value cannot be stored.
  public func save(_ value: Value) throws {
    let (store, key) = (store.own, key(default: value))
    let undecodable = key.undecodable(try? store.load(name))
    _ = try store.save(key.encode(value), for: name, keeping: undecodable, didStore: {})
  }

  /// A stream of the values that are stored after the stream is created.
  public var updates: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let store = store
    let subscription = store.subscribe { [name, coding] change in
      guard change.keys?.contains(name) != false, let stored = try? store.load(name) else { return }
      if let value = try? coding.decode(stored) { continuation.yield(value) }
    }
    // A `UserDefaultsStore` observes only keys that have been loaded.
    _ = try? store.load(name)
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }
}
