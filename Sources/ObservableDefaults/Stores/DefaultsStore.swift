public import Plist

/// A source of a store: a store itself, or an object that provides a store, such as Foundation's `UserDefaults`.
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
/// Any thread can use a store. When ``save(_:for:)`` has returned, ``load(_:)`` returns the saved value in every thread.
///
/// A missing value is `nil`, and a failure is an error: a store that cannot be read does not appear to be empty.
public protocol DefaultsStore: DefaultsStoreSource, Sendable {
  /// The identity of the store; stores with equal identities share their values.
  var identity: DefaultsStoreIdentity { get }

  /// Returns the value of a key, or nil if the key has no value.
  ///
  /// - Throws: ``DefaultsError`` or another error if the store cannot be read.
  func load(_ key: String) throws -> PropertyList?

  /// Stores a value for a key; nil removes the key.
  ///
  /// - Parameters:
  ///   - value: The value to store; nil removes the key.
  ///   - key: The key, which can be any text.
  /// - Throws: ``DefaultsError`` or another error if the store cannot save the value. If the method throws an error,
  ///   the store keeps the old value.
  func save(_ value: PropertyList?, for key: String) throws

  /// Reads and changes several values atomically.
  ///
  /// - Parameter body: A closure that changes the store's contents. The store is locked meanwhile, so the closure must
  ///   use only its argument. If it throws an error, no value changes.
  /// - Throws: An error that `body` throws, or an error if the store cannot save the changes. If the method throws an
  ///   error, no value changes.
  func update(_ body: (inout DefaultsBatch) throws -> Void) throws

  /// Waits until every saved value is written; stores that write at once have nothing to do.
  ///
  /// - Throws: ``DefaultsError`` or another error if a value cannot be written.
  func flush() throws

  /// Calls a closure after each change of a value, including changes by other processes.
  ///
  /// - Parameter handler: The closure, whose argument describes the change. It is called on the thread that made the
  ///   change or, for changes by others, on a thread of the store, and it can use the store.
  /// - Returns: A token; cancel or release it to end the subscription.
  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription
}

extension DefaultsStore {
  /// The store itself, since every ``DefaultsStore`` is also a ``DefaultsStoreSource``.
  public var defaultsStore: any DefaultsStore { self }

  /// Does nothing, for stores that save at once.
  public func flush() throws {}

  /// Removes a key and its value.
  ///
  /// - Throws: The errors that ``save(_:for:)`` throws.
  public func remove(_ key: String) throws { try save(nil, for: key) }
}

/// What references need from the stores of this package, beyond what every store offers.
///
/// Each requirement has a default, for stores to which it does not apply.
package protocol OwnStore: DefaultsStore {
  /// Whether the visible value of a key can differ from the last stored one, since other domains can have values too.
  var isLayered: Bool { get }

  /// Whether the store can change without telling its subscribers.
  var mayChangeUnnoticed: Bool { get }

  /// Whether the store's values are in a JSON file, in which a number can stand for a date.
  var keepsJSON: Bool { get }

  /// Returns the value that ``DefaultsStore/load(_:)`` will return after the store saves `value`; nil removes the key.
  func load(_ key: String, afterSaving value: PropertyList?) throws -> PropertyList?

  /// Saves a value, and keeps a copy if the stored value is still `undecodable`.
  ///
  /// The closure `didStore` is called when the value is stored, before the subscribers are notified: they may wait for
  /// other threads, which can then store their next value.
  ///
  /// - Returns: Whether exactly this value is visible. Another domain can hide it, a file's format can drop parts of
  ///   it, and a delayed write can fail.
  /// - Throws: The errors of ``DefaultsStore/save(_:for:)``.
  func save(
    _ value: PropertyList?, for key: String, keeping undecodable: PropertyList?, didStore: () -> Void
  ) throws -> Bool

  /// Changes values as ``DefaultsStore/update(_:)`` does, and calls `didStore` before the subscribers are notified.
  func update(_ body: (inout DefaultsBatch) throws -> Void, didStore: () -> Void) throws

  /// The error of the last delayed write, if the key's value is still unwritten.
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
  /// The store itself if it belongs to this package, or else a wrapper with the defaults of ``OwnStore``.
  package var own: any OwnStore { self as? any OwnStore ?? ForeignStore(store: self) }
}

/// Wraps a store that is declared outside of this package.
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

/// An identity of a defaults store; stores with equal identities share their values.
///
/// ```swift
/// let (one, other) = (PropertyListFileStore(url: url), PropertyListFileStore(url: url))
/// let areSame = one.identity == other.identity  // true: references of both share their values
/// ```
public struct DefaultsStoreIdentity: Hashable, Sendable {
  private let kind: String
  private let name: ExactKey
  private let object: ObjectIdentifier?

  /// Creates the identity of a store outside the process, such as a file that is identified by its path.
  ///
  /// - Parameters:
  ///   - kind: The kind of store, such as `file`.
  ///   - name: A name that is unique among stores of the same kind.
  public init(kind: String, name: String) {
    self.kind = kind
    self.name = ExactKey(name)
    object = nil
  }

  /// Creates the identity of a store object, which is equal only to the identity of the same object.
  public init(_ object: AnyObject) { self.init(object, options: "") }

  /// Creates an identity from an object, such as a cloud backend, and a store's options; stores with the same object
  /// and options share this identity.
  package init(_ object: AnyObject, options: String) {
    kind = options
    name = ExactKey("")
    self.object = ObjectIdentifier(object)
  }
}
