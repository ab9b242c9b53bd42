public import Plist

/// A store itself, or an object that provides one, such as Foundation's `UserDefaults`.
///
/// ```swift
/// struct Workspace: DefaultsStoreSource {
///   let folder: URL
///   var defaultsStore: any DefaultsStore { PropertyListFileStore(url: folder.appending(path: "settings.plist")) }
/// }
///
/// @UserDefault("tabWidth", store: Workspace(folder: folder)) var tabWidth = 2
/// ```
public protocol DefaultsStoreSource {
  /// The store that this source provides.
  var defaultsStore: any DefaultsStore { get }
}

/// A container that stores values by key.
///
/// ```swift
/// func renameTheme(in store: some DefaultsStore) throws {
///   try store.update { batch in
///     batch["theme"] = batch["colours"]
///     batch["colours"] = nil
///   }
/// }
/// ```
///
/// Any thread can use a store. Once ``save(_:for:)`` has returned, ``load(_:)`` returns the saved value on every
/// thread.
///
/// A missing value is `nil`, but a failure throws an error, so a store that cannot be read doesn't appear to be empty.
public protocol DefaultsStore: DefaultsStoreSource, Sendable {
  /// The identity of the store; stores with equal identities share their values.
  var identity: DefaultsStoreIdentity { get }

  /// Returns the value for a key, or nil if there is none.
  ///
  /// - Throws: ``DefaultsError`` or another error if the store cannot be read.
  func load(_ key: String) throws -> PropertyList?

  /// Stores a value for a key; nil removes the key.
  ///
  /// - Parameters:
  ///   - value: The value to store; nil removes the key.
  ///   - key: The key, which can be any text.
  /// - Throws: ``DefaultsError`` or another error if the store cannot save the value. If the method throws, the store
  ///   keeps the old value.
  func save(_ value: PropertyList?, for key: String) throws

  /// Reads and changes several values atomically.
  ///
  /// - Parameter body: A closure that changes the store's contents. The store is locked while it runs, so the closure
  ///   must use its argument instead of the store.
  /// - Throws: Any error that `body` throws, or an error if the store cannot save the changes. If the method throws, no
  ///   value changes.
  func update(_ body: (inout DefaultsBatch) throws -> Void) throws

  /// Waits until every saved value has been written; stores that write immediately do nothing.
  ///
  /// - Throws: ``DefaultsError`` or another error if a value cannot be written.
  func flush() throws

  /// Calls a closure after each change to a value, including changes made by other processes.
  ///
  /// - Parameter handler: A closure that receives a description of the change. It is called on the thread that made the
  ///   change or, for changes made elsewhere, on one of the store's threads. It can use the store.
  /// - Returns: A token; cancel or release it to end the subscription.
  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription
}

extension DefaultsStore {
  /// The store itself, since every ``DefaultsStore`` is also a ``DefaultsStoreSource``.
  public var defaultsStore: any DefaultsStore { self }

  /// Does nothing, which suits stores that write immediately.
  public func flush() throws {}

  /// Removes a key and its value.
  ///
  /// - Throws: Any error that ``save(_:for:)`` throws.
  public func remove(_ key: String) throws { try save(nil, for: key) }
}

/// What references need from this package's stores, beyond what every store offers.
///
/// Each requirement has a default implementation for stores to which it doesn't apply.
package protocol OwnStore: DefaultsStore {
  /// Whether a key's visible value can differ from the last stored one because other domains can also have values.
  var isLayered: Bool { get }

  /// Whether the store can change without notifying its subscribers.
  var mayChangeUnnoticed: Bool { get }

  /// Whether the store's values are in a JSON file, in which a number may represent a date.
  var keepsJSON: Bool { get }

  /// Returns the value that ``DefaultsStore/load(_:)`` will return after `value` is saved; a nil `value` removes the
  /// key.
  func load(_ key: String, afterSaving value: PropertyList?) throws -> PropertyList?

  /// Saves a value, keeping a copy of the stored value if that is still `undecodable`.
  ///
  /// `didStore` is called after the value has been stored but before subscribers are notified. A subscriber may wait
  /// for another thread, which can then store its next value.
  ///
  /// - Returns: Whether exactly this value is now visible. It isn't if another domain hides it, the file's format drops
  ///   part of it, or a delayed write fails.
  /// - Throws: Any error that ``DefaultsStore/save(_:for:)`` throws.
  func save(
    _ value: PropertyList?, for key: String, keeping undecodable: PropertyList?, didStore: () -> Void
  ) throws -> Bool

  /// Changes values like ``DefaultsStore/update(_:)``, calling `didStore` before subscribers are notified.
  func update(_ body: (inout DefaultsBatch) throws -> Void, didStore: () -> Void) throws

  /// Returns the error from the last delayed write if the key's value is still unwritten, or nil otherwise.
  func failure(of key: String) -> (any Error)?

  /// Calls a closure with the keys whose delayed write has failed, or has succeeded after a failure.
  func subscribeToFailures(_ handler: @escaping @Sendable (Set<String>) -> Void) -> DefaultsSubscription?
}

extension OwnStore {
  package var isLayered: Bool { false }

  package var mayChangeUnnoticed: Bool { false }

  package var keepsJSON: Bool { false }

  package func load(_ key: String, afterSaving value: PropertyList?) throws -> PropertyList? { value }

  package func save(
    _ value: PropertyList?, for key: String, keeping undecodable: PropertyList?, didStore: () -> Void
  ) throws -> Bool {
    try update({ $0.set(value, for: key, keeping: undecodable) }, didStore: didStore)
    return true
  }

  package func update(_ body: (inout DefaultsBatch) throws -> Void, didStore: () -> Void) throws {
    try update(body)
    didStore()
  }

  package func failure(of key: String) -> (any Error)? { nil }

  package func subscribeToFailures(
    _ handler: @escaping @Sendable (Set<String>) -> Void
  ) -> DefaultsSubscription? { nil }
}

extension DefaultsStore {
  /// The store itself if it belongs to this package, or else a wrapper with ``OwnStore``'s default implementations.
  package var own: any OwnStore { self as? any OwnStore ?? ForeignStore(store: self) }
}

/// Wraps a store that is declared outside this package.
private struct ForeignStore: OwnStore {
  let store: any DefaultsStore

  var identity: DefaultsStoreIdentity { store.identity }
  func load(_ key: String) throws -> PropertyList? { try store.load(key) }
  func save(_ value: PropertyList?, for key: String) throws { try store.save(value, for: key) }
  func save(
    _ value: PropertyList?, for key: String, keeping undecodable: PropertyList?, didStore: () -> Void
  ) throws -> Bool {
    if undecodable == nil {
      try store.save(value, for: key)
    } else {
      try update { $0.set(value, for: key, keeping: undecodable) }
    }
    return true
  }
  func update(_ body: (inout DefaultsBatch) throws -> Void) throws { try store.update(body) }
  func flush() throws { try store.flush() }
  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    store.subscribe(handler)
  }
}

/// The identity of a defaults store; stores with equal identities share their values.
///
/// ```swift
/// let (one, other) = (PropertyListFileStore(url: url), PropertyListFileStore(url: url))
/// let areSame = one.identity == other.identity  // true: references of both share their values
/// ```
public struct DefaultsStoreIdentity: Hashable, Sendable {
  private let kind: String
  private let name: ExactKey
  private let object: ObjectIdentifier?

  /// Creates an identity for a store outside the process, such as a file identified by its path.
  ///
  /// - Parameters:
  ///   - kind: The kind of store, such as `file`.
  ///   - name: A name that is unique among stores of the same kind.
  public init(kind: String, name: String) {
    self.kind = kind
    self.name = ExactKey(name)
    object = nil
  }

  /// Creates an identity for a store object, which is equal only to another identity for the same object.
  public init(_ object: AnyObject) { self.init(object, options: "") }

  /// Creates an identity from an object, such as a cloud backend, and a store's options; stores with the same object
  /// and options have equal identities.
  package init(_ object: AnyObject, options: String) {
    kind = options
    name = ExactKey("")
    self.object = ObjectIdentifier(object)
  }
}
