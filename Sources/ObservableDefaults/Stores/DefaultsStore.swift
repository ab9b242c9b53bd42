public import Plist

/// A store, or an object for which there is one, such as Foundation's `UserDefaults`.
public protocol DefaultsStoreSource {
  /// The store.
  var defaultsStore: any DefaultsStore { get }
}

/// A place where values are kept by key.
///
/// A store is used by many threads at once. Its calls return when the work is done: a value that ``save(_:for:)`` has
/// taken is what ``load(_:)`` gives from then on, in every thread.
///
/// Three answers are told apart: a value, no value (`nil`), and a failure to find out (an error). A store whose contents
/// cannot be read throws, rather than being taken for an empty one.
public protocol DefaultsStore: DefaultsStoreSource, Sendable {
  /// What makes two stores the same: values of stores with equal identities are shared.
  var identity: DefaultsStoreIdentity { get }

  /// The value of a key, or nil where there is none.
  ///
  /// - Throws: ``DefaultsError`` or another error where the store cannot be read.
  func load(_ key: String) throws -> PropertyList?

  /// Keeps a value, or with nil removes the key.
  ///
  /// - Parameters:
  ///   - value: The value to keep, or nil.
  ///   - key: The key, any text.
  /// - Throws: ``DefaultsError`` or another error where the value could not be kept; the old one is still there then.
  func save(_ value: PropertyList?, for key: String) throws

  /// Reads and changes several values at once; nobody else changes the store in between.
  ///
  /// - Parameter body: Given the store's contents, to be changed. It must not use the store in another way, as it runs
  ///   while the store is locked. Where it throws, nothing is changed.
  /// - Throws: What `body` throws, or an error where the changes could not be kept; then none of them is.
  func update(_ body: (inout DefaultsBatch) throws -> Void) throws

  /// Calls a closure after each change, whoever made it.
  ///
  /// - Parameter handler: Called after a change of this process's on the thread that made it, and after others' on one
  ///   of the store's; never while the store is locked, so that it can use the store.
  /// - Returns: What ends the calls when it is cancelled or goes away.
  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription
}

/// A store that looks for a value in several domains, and writes to one of them.
///
/// What is stored need not be what shows: an earlier domain shadows it, and a later one shows when it is removed.
protocol LayeredStore: DefaultsStore {
  /// The value that ``DefaultsStore/load(_:)`` is going to give once a value is saved, or with nil removed.
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

/// What makes two stores the same.
public struct DefaultsStoreIdentity: Hashable, Sendable {
  private let kind: String
  private let name: String
  private let object: ObjectIdentifier?

  /// The identity of what is outside of the process, such as a file by its path.
  ///
  /// - Parameters:
  ///   - kind: The kind of store.
  ///   - name: What tells stores of the kind apart.
  public init(kind: String, name: String) {
    self.kind = kind
    self.name = name
    object = nil
  }

  /// The identity of a store that is the same only as itself.
  public init(_ object: AnyObject) {
    kind = ""
    name = ""
    self.object = ObjectIdentifier(object)
  }
}
