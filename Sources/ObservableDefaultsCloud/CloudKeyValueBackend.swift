public import ObservableDefaults
public import Plist

/// A service that syncs a small set of values across a user's machines.
///
/// On Apple platforms, the service is iCloud's key-value store. Tests and other platforms use ``MockCloudBackend``.
///
/// Your own types can conform too, such as one that reads from a snapshot:
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
  /// All values that this machine has received so far, by key.
  var contents: PropertyListDictionary { get }

  /// Returns the value for a key, or nil if there is none.
  func value(for key: String) -> PropertyList?

  /// Stores a value for a key; nil removes the key.
  ///
  /// The change may be sent to the service after this method returns.
  func set(_ value: PropertyList?, for key: String)

  /// Exchanges new values with the cloud service.
  ///
  /// - Returns: Whether the request could be made.
  @discardableResult func synchronize() -> Bool

  /// Calls a closure whenever values change outside this process.
  ///
  /// The closure receives the reason and the changed keys, or nil instead of the keys if any value may have changed.
  func subscribe(
    _ handler: @escaping @Sendable (_ reason: CloudChangeReason, _ keys: Set<String>?) -> Void
  ) -> DefaultsSubscription
}

/// An in-memory cloud service that can simulate changes made on other machines.
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

  /// All values by key.
  public var contents: PropertyListDictionary { state.withLock { $0.contents } }

  /// The number of times ``synchronize()`` has been called.
  public var synchronizations: Int { state.withLock { $0.synchronizations } }

  /// Returns the value for a key, or nil if there is none.
  public func value(for key: String) -> PropertyList? { state.withLock { $0.contents[key] } }

  /// Stores a value for a key; nil removes the key.
  public func set(_ value: PropertyList?, for key: String) { state.withLock { $0.contents[key] = value } }

  /// Adds one to ``synchronizations``.
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

  /// Simulates a change made on another machine.
  ///
  /// - Parameters:
  ///   - values: The new values by key; nil removes a key.
  ///   - reason: Why the values changed.
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
  ///   - reason: Why the values changed.
  public func simulateReplacement(_ contents: PropertyListDictionary, reason: CloudChangeReason = .accountChange) {
    state.withLock { $0.contents = contents }
    subscribers.send((reason, nil))
  }
}
