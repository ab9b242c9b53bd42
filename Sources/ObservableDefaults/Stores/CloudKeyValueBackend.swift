public import Plist

/// A service that stores a few values for a user on all of the user's machines.
///
/// On Apple's systems the service is iCloud's key-value store; see `UbiquitousBackend`. ``MockCloudBackend`` replaces
/// iCloud in tests and on other systems.
///
/// Your own type can provide the values too. In this example, the values come from a snapshot:
///
/// ```swift
/// final class SnapshotBackend: CloudKeyValueBackend {
///   let contents: PropertyListDictionary
///   init(_ contents: PropertyListDictionary) { self.contents = contents }
///   func value(for key: String) -> PropertyList? { contents[key] }
///   func set(_ value: PropertyList?, for key: String) {}  // the snapshot stays as it is
///   func synchronize() -> Bool { false }
///   func subscribe(_ handler: @escaping @Sendable (CloudChangeReason, Set<String>?) -> Void) -> DefaultsSubscription {
///     DefaultsSubscription {}
///   }
/// }
/// ```
public protocol CloudKeyValueBackend: AnyObject, Sendable {
  /// All values, by key, that have arrived on this machine.
  var contents: PropertyListDictionary { get }

  /// The value of a key, or nil if there is none.
  func value(for key: String) -> PropertyList?

  /// Stores a value; nil removes the key.
  ///
  /// The value reaches the service later.
  func set(_ value: PropertyList?, for key: String)

  /// Exchanges new values with the service.
  ///
  /// - Returns: Whether the request could be made.
  @discardableResult func synchronize() -> Bool

  /// Calls a closure after each change that this process did not make.
  ///
  /// The arguments of the closure are the reason and the changed keys; if the keys are nil, any key can have changed.
  func subscribe(
    _ handler: @escaping @Sendable (_ reason: CloudChangeReason, _ keys: Set<String>?) -> Void
  ) -> DefaultsSubscription
}

/// A reason for a change of a cloud store's values that this process did not make.
///
/// ```swift
/// let token = cloud.subscribe { change in
///   if change.origin == .remote(.quotaViolation) { print("iCloud is full") }
/// }
/// ```
public struct CloudChangeReason: Hashable, Sendable, CustomStringConvertible {
  /// The reason's name.
  public let name: String

  /// Creates the reason of the given name.
  public init(_ name: String) { self.name = name }

  /// Another machine changed the values.
  public static let serverChange = CloudChangeReason("serverChange")
  /// The service's values were loaded for the first time; these values replace values that were set on this machine
  /// before.
  public static let initialSync = CloudChangeReason("initialSync")
  /// The service's quota is exceeded; the most recent changes can be lost.
  public static let quotaViolation = CloudChangeReason("quotaViolation")
  /// Another user signed in, and that user's values are visible now.
  public static let accountChange = CloudChangeReason("accountChange")

  /// The reason's name.
  public var description: String { name }
}

/// A cloud service in memory that can simulate changes.
///
/// ```swift
/// let backend = MockCloudBackend(["volume": 1.0])
/// let volume = CloudStore(backend).reference(for: DefaultKey("volume", default: 0.5))
/// backend.simulateChange(["volume": 0.25])  // volume.value is 0.25
/// ```
public final class MockCloudBackend: CloudKeyValueBackend {
  private struct State {
    var contents: PropertyListDictionary
    var synchronizations = 0
  }

  private let state: Guarded<State>
  private let subscribers = Subscribers<(reason: CloudChangeReason, keys: Set<String>?)>()

  /// Creates a service.
  ///
  /// - Parameter contents: The initial values.
  public init(_ contents: PropertyListDictionary = [:]) { state = Guarded(State(contents: contents)) }

  /// All values by key.
  public var contents: PropertyListDictionary { state.withLock(\.contents) }

  /// The number of times that the service was asked to synchronize.
  public var synchronizations: Int { state.withLock(\.synchronizations) }

  /// The value of a key, or nil if there is none.
  public func value(for key: String) -> PropertyList? { state.withLock { $0.contents[key] } }

  /// Stores a value; nil removes the key.
  public func set(_ value: PropertyList?, for key: String) { state.withLock { $0.contents[key] = value } }

  /// Increments the number of synchronizations.
  ///
  /// - Returns: Always true.
  @discardableResult public func synchronize() -> Bool {
    state.withLock { $0.synchronizations += 1 }
    return true
  }

  /// Calls a closure after each simulated change.
  public func subscribe(
    _ handler: @escaping @Sendable (_ reason: CloudChangeReason, _ keys: Set<String>?) -> Void
  ) -> DefaultsSubscription {
    subscribers.add { handler($0.reason, $0.keys) }
  }

  /// Simulates a change of values by another machine.
  ///
  /// - Parameters:
  ///   - values: The new values by key; nil removes the key.
  ///   - reason: The reason for the change.
  public func simulateChange(_ values: [String: PropertyList?], reason: CloudChangeReason = .serverChange) {
    state.withLock { state in
      for (key, value) in values { state.contents[key] = value }
    }
    subscribers.send((reason, Set(values.keys)))
  }

  /// Replaces all values, as happens when another user signs in.
  ///
  /// - Parameters:
  ///   - contents: The new values.
  ///   - reason: The reason for the change.
  public func simulateReplacement(_ contents: PropertyListDictionary, reason: CloudChangeReason = .accountChange) {
    state.withLock { $0.contents = contents }
    subscribers.send((reason, nil))
  }
}
