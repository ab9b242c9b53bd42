public import Plist

/// A store that is gone with the process: for tests, previews, and values that are shared but not kept.
public final class InMemoryStore: DefaultsStore {
  private struct State {
    var contents: PropertyListDictionary
    var failure: (any Error)?
  }

  private let state: Guarded<State>
  private let subscribers = Subscribers<DefaultsChange>()

  /// Creates a store.
  ///
  /// - Parameter contents: What it holds at first.
  public init(_ contents: PropertyListDictionary = [:]) {
    state = Guarded(State(contents: contents))
  }

  /// The store is the same only as itself.
  public var identity: DefaultsStoreIdentity { DefaultsStoreIdentity(self) }

  /// Everything in the store.
  public var contents: PropertyListDictionary { state.withLock(\.contents) }

  /// The value of a key, or nil where there is none.
  ///
  /// - Throws: The error given to ``simulateFailure(_:)``.
  public func load(_ key: String) throws -> PropertyList? {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.contents[key]
    }
  }

  /// Keeps a value, or with nil removes the key.
  ///
  /// - Throws: The error given to ``simulateFailure(_:)``.
  public func save(_ value: PropertyList?, for key: String) throws {
    try change(.local) { $0[key] = value }
  }

  /// Changes several values at once.
  ///
  /// - Throws: What `body` throws, and the error given to ``simulateFailure(_:)``.
  public func update(_ body: (inout DefaultsBatch) throws -> Void) throws {
    try change(.local, body)
  }

  /// Calls a closure after each change.
  public func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    subscribers.add(handler)
  }

  /// Changes a value as another process, or with a reason another machine, would.
  ///
  /// - Parameters:
  ///   - value: The new value, or nil to remove the key.
  ///   - key: The key.
  ///   - origin: Who is said to have made the change.
  public func simulateExternalChange(
    _ value: PropertyList?, for key: String, origin: DefaultsChange.Origin = .external
  ) {
    let isChange = state.withLock { state in
      defer { state.contents[key] = value }
      return state.contents[key] != value
    }
    if isChange { subscribers.send(origin, [key]) }
  }

  /// Makes every further call throw, until nil is given.
  public func simulateFailure(_ failure: (any Error)?) {
    state.withLock { $0.failure = failure }
  }

  private func change(_ origin: DefaultsChange.Origin, _ body: (inout DefaultsBatch) throws -> Void) throws {
    let keys = try state.withLock { state in
      if let failure = state.failure { throw failure }
      var batch = DefaultsBatch(state.contents)
      try body(&batch)
      let keys = batch.keys.filter { batch[$0] != state.contents[$0] }
      state.contents = batch.contents
      return keys
    }
    subscribers.send(origin, keys)
  }
}
