public import ObservableDefaults
public import Plist

/// A service that stores a few values for a user on all of the user's machines.
///
/// On Apple's systems, the service is iCloud's key-value store. ``MockCloudBackend`` replaces iCloud in tests and on
/// other systems.
///
/// Your own type can also conform to ``CloudKeyValueBackend``. In this example, a snapshot provides the values:
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
  /// All values, by key, that the machine has received from the service.
  var contents: PropertyListDictionary { get }

  /// Returns the value of a key, or nil if the key has no value.
  func value(for key: String) -> PropertyList?

  /// Stores a value for a key; nil removes the key.
  ///
  /// The backend can send the value to the service after this method returns.
  func set(_ value: PropertyList?, for key: String)

  /// Exchanges new values with the cloud service.
  ///
  /// - Returns: Whether the backend was able to ask the service to synchronize.
  @discardableResult func synchronize() -> Bool

  /// Calls a closure each time a value changes outside this process.
  ///
  /// The closure's arguments are the reason and the changed keys. If the closure receives nil instead of keys, the
  /// value of any key may have changed.
  func subscribe(
    _ handler: @escaping @Sendable (_ reason: CloudChangeReason, _ keys: Set<String>?) -> Void
  ) -> DefaultsSubscription
}

/// A cloud service in memory that can simulate changes by other machines.
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

  /// Creates a simulated cloud service.
  ///
  /// - Parameter contents: The initial values.
  public init(_ contents: PropertyListDictionary = [:]) { state = Guarded(State(contents: contents)) }

  /// All values in the service, by key.
  public var contents: PropertyListDictionary { state.withLock { $0.contents } }

  /// The number of calls of ``synchronize()``.
  public var synchronizations: Int { state.withLock { $0.synchronizations } }

  /// Returns the value of a key, or nil if the key has no value.
  public func value(for key: String) -> PropertyList? { state.withLock { $0.contents[key] } }

  /// Stores a value for a key; nil removes the key.
  public func set(_ value: PropertyList?, for key: String) { state.withLock { $0.contents[key] = value } }

  /// Increments ``synchronizations``.
  ///
  /// - Returns: Always true.
  @discardableResult public func synchronize() -> Bool {
    state.withLock { $0.synchronizations += 1 }
    return true
  }

  /// Calls a closure after each simulated change of a value.
  public func subscribe(
    _ handler: @escaping @Sendable (_ reason: CloudChangeReason, _ keys: Set<String>?) -> Void
  ) -> DefaultsSubscription {
    subscribers.add { handler($0.reason, $0.keys) }
  }

  /// Simulates a change of values by another machine.
  ///
  /// - Parameters:
  ///   - values: The new values by key; a nil value removes the key.
  ///   - reason: The reason for the change.
  public func simulateChange(_ values: [String: PropertyList?], reason: CloudChangeReason = .serverChange) {
    state.withLock { state in
      for (key, value) in values { state.contents[key] = value }
    }
    subscribers.send((reason, Set(values.keys)))
  }

  /// Replaces all values, as iCloud does when another user signs in.
  ///
  /// - Parameters:
  ///   - contents: The new values.
  ///   - reason: The reason for the change.
  public func simulateReplacement(_ contents: PropertyListDictionary, reason: CloudChangeReason = .accountChange) {
    state.withLock { $0.contents = contents }
    subscribers.send((reason, nil))
  }
}
