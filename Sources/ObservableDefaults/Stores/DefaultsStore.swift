public import Plist

/// A store, or an object that has one, such as Foundation's `UserDefaults`.
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

/// A container that keeps values by key.
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
/// Several threads use a store at once. Its calls return when the work is done: in every thread, ``load(_:)`` returns
/// the value that ``save(_:for:)`` has saved last.
///
/// A store distinguishes a value, no value (`nil`), and a failure (an error). If its contents cannot be read, it
/// throws; it does not appear to be empty.
public protocol DefaultsStore: DefaultsStoreSource, Sendable {
  /// The identity of the store: stores with equal identities share their values.
  var identity: DefaultsStoreIdentity { get }

  /// The value of a key, or nil if there is none.
  ///
  /// - Throws: ``DefaultsError`` or another error if the store cannot be read.
  func load(_ key: String) throws -> PropertyList?

  /// Keeps a value, or with nil removes the key.
  ///
  /// - Parameters:
  ///   - value: The value to keep, or nil.
  ///   - key: The key, any text.
  /// - Throws: ``DefaultsError`` or another error if the value could not be kept; the old one is still stored then.
  func save(_ value: PropertyList?, for key: String) throws

  /// Reads and changes several values at once; no other change comes in between.
  ///
  /// - Parameter body: A closure that changes the store's contents. It must not use the store in another way, since it
  ///   runs while the store is locked. If it throws, nothing is changed.
  /// - Throws: The error of `body`, or an error if the changes could not be kept; then none of them is.
  func update(_ body: (inout DefaultsBatch) throws -> Void) throws

  /// Calls a closure after each change, including those of other processes.
  ///
  /// - Parameter handler: The closure. A change of this process calls it on the same thread, another change on a thread
  ///   of the store. The store is not locked then, so the closure can use it.
  /// - Returns: A token that ends the calls when it is cancelled or released.
  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription
}

/// A store that looks up values in several domains, and writes to one of them.
///
/// The visible value may differ from the stored one: an earlier domain shadows it, and a later one replaces it when it
/// is removed.
protocol LayeredStore: DefaultsStore {
  /// The value that ``DefaultsStore/load(_:)`` returns after a value has been saved, or with nil removed.
  func load(_ key: String, afterSaving value: PropertyList?) throws -> PropertyList?
}

extension DefaultsStore {
  /// The store itself.
  public var defaultsStore: any DefaultsStore { self }

  /// Removes a key and its value.
  ///
  /// - Throws: As ``save(_:for:)``.
  public func remove(_ key: String) throws { try save(nil, for: key) }
}

/// An identity of a store; stores that are the same have equal identities.
///
/// ```swift
/// let (one, other) = (PropertyListFileStore(url: url), PropertyListFileStore(url: url))
/// let areSame = one.identity == other.identity  // true: references of both share their values
/// ```
public struct DefaultsStoreIdentity: Hashable, Sendable {
  private let kind: String
  private let name: String
  private let object: ObjectIdentifier?

  /// Creates the identity of a store outside of the process, such as a file by its path.
  ///
  /// - Parameters:
  ///   - kind: The kind of store.
  ///   - name: The name of the store among those of its kind.
  public init(kind: String, name: String) {
    self.kind = kind
    self.name = name
    object = nil
  }

  /// Creates the identity of a store that is the same only as itself.
  public init(_ object: AnyObject) {
    kind = ""
    name = ""
    self.object = ObjectIdentifier(object)
  }
}
