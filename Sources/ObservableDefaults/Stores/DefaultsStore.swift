public import Plist

/// A store, or an object that provides a store, such as Foundation's `UserDefaults`.
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
  /// The store.
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
/// Several threads can use a store concurrently. A call returns when its work is done. After ``save(_:for:)`` has
/// returned, ``load(_:)`` returns the saved value in every thread.
///
/// A store distinguishes a value, no value (`nil`), and a failure (an error). If the contents of a store cannot be
/// read, the store throws an error instead of appearing to be empty.
public protocol DefaultsStore: DefaultsStoreSource, Sendable {
  /// The identity of the store: stores with equal identities share their values.
  var identity: DefaultsStoreIdentity { get }

  /// The value of a key, or nil if there is none.
  ///
  /// - Throws: ``DefaultsError`` or another error if the store cannot be read.
  func load(_ key: String) throws -> PropertyList?

  /// Stores a value; nil removes the key.
  ///
  /// - Parameters:
  ///   - value: The value to store; nil removes the key.
  ///   - key: The key, which can be any text.
  /// - Throws: ``DefaultsError`` or another error if the value could not be stored; the old value is kept in this case.
  func save(_ value: PropertyList?, for key: String) throws

  /// Reads and changes several values atomically.
  ///
  /// - Parameter body: A closure that changes the store's contents. The closure must not use the store in another way,
  ///   since the store is locked during the call. If the closure throws an error, nothing is changed.
  /// - Throws: The error of `body`, or an error if the changes could not be stored; in that case no change is stored.
  func update(_ body: (inout DefaultsBatch) throws -> Void) throws

  /// Calls a closure after each change, including changes by other processes.
  ///
  /// - Parameter handler: The closure. After a change by this process, the closure is called on the thread that made
  ///   the change. After any other change, the closure is called on a thread of the store. The store is not locked
  ///   during the call, so the closure can use the store.
  /// - Returns: A token; cancelling or releasing the token ends the calls.
  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription
}

/// A store that looks up values in several domains, and writes to one of these domains.
///
/// The visible value can differ from the stored value, since an earlier domain can shadow the stored value. After a
/// removal, the value of a later domain becomes visible.
protocol LayeredStore: DefaultsStore {
  /// Returns the value that ``DefaultsStore/load(_:)`` will return after `value` is saved, or after the removal if
  /// `value` is nil.
  func load(_ key: String, afterSaving value: PropertyList?) throws -> PropertyList?
}

extension DefaultsStore {
  /// The store itself.
  public var defaultsStore: any DefaultsStore { self }

  /// Removes a key and its value.
  ///
  /// - Throws: The errors of ``save(_:for:)``.
  public func remove(_ key: String) throws { try save(nil, for: key) }
}

/// An identity of a store; stores with equal identities share their values.
///
/// ```swift
/// let (one, other) = (PropertyListFileStore(url: url), PropertyListFileStore(url: url))
/// let areSame = one.identity == other.identity  // true: references of both share their values
/// ```
public struct DefaultsStoreIdentity: Hashable, Sendable {
  private let kind: String
  private let name: String
  private let object: ObjectIdentifier?

  /// Creates the identity of a store that exists outside of the process, such as a file that is identified by its path.
  ///
  /// - Parameters:
  ///   - kind: The kind of store.
  ///   - name: The name of the store among those of its kind.
  public init(kind: String, name: String) {
    self.kind = kind
    self.name = name
    object = nil
  }

  /// Creates the identity of a store that is an object; only the same object has an equal identity.
  public init(_ object: AnyObject) {
    kind = ""
    name = ""
    self.object = ObjectIdentifier(object)
  }
}
