public import Plist

/// An in-memory defaults store for tests, previews, and values that are shared but not persisted.
///
/// ```swift
/// let store = InMemoryStore(["fontSize": 14])
/// let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
/// store.simulateExternalChange(16, for: "fontSize")  // fontSize.value is 16
/// ```
public final class InMemoryStore: OwnStore {
  private struct State {
    var contents: PropertyListDictionary
    var failure: (any Error)?
  }

  private let state: Guarded<State>
  private let subscribers = Subscribers<DefaultsChange>()
  private let updating = UpdatingThread()

  /// Creates an in-memory store.
  ///
  /// - Parameter contents: The initial values by key.
  public init(_ contents: PropertyListDictionary = [:]) {
    state = Guarded(State(contents: contents))
  }

  /// The identity of the store.
  ///
  /// Two in-memory stores never share values.
  public var identity: DefaultsStoreIdentity { DefaultsStoreIdentity(self) }

  /// All values in the store, by key.
  public var contents: PropertyListDictionary { state.withLock { $0.contents } }

  /// Returns the value for a key, or nil if there is none.
  ///
  /// - Throws: The error set with ``simulateFailure(_:)``, if any.
  public func load(_ key: String) throws -> PropertyList? {
    try updating.check()
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.contents[key]
    }
  }

  /// Stores a value for a key; nil removes the key.
  ///
  /// - Throws: The error set with ``simulateFailure(_:)``, if any.
  public func save(_ value: PropertyList?, for key: String) throws {
    try update { $0[key] = value }
  }

  /// Changes several values atomically.
  ///
  /// - Throws: Any error that `body` throws, or the error set with ``simulateFailure(_:)``.
  public func update(_ body: (inout DefaultsBatch) throws -> Void) throws { try update(body, didStore: {}) }

  package func update(_ body: (inout DefaultsBatch) throws -> Void, didStore: () -> Void) throws {
    try updating.check()
    let keys = try state.withLock { state in
      if let failure = state.failure { throw failure }
      let contents = state.contents
      let (newContents, changed) = try updating.run { try DefaultsBatch.apply(body, to: contents) }
      state.contents = newContents
      return Set(changed)
    }
    didStore()
    subscribers.send(.local, keys)
  }

  /// Calls a closure after each change to a value in the store.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    subscribers.add(handler)
  }

  /// Simulates a change made by another process or machine.
  ///
  /// - Parameters:
  ///   - value: The new value, or nil to remove the key.
  ///   - key: The key of the changed value.
  ///   - origin: The origin of the change.
  public func simulateExternalChange(
    _ value: PropertyList?, for key: String, origin: DefaultsChange.Origin = .external
  ) {
    let isChange = state.withLock { state in
      defer { state.contents[key] = value }
      return state.contents[key] != value
    }
    if isChange { subscribers.send(origin, [key]) }
  }

  /// Makes later calls to ``load(_:)``, ``save(_:for:)`` and ``update(_:)`` throw `failure`; nil ends the simulation.
  public func simulateFailure(_ failure: (any Error)?) {
    state.withLock { $0.failure = failure }
  }
}
