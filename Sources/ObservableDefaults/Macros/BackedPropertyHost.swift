#if Macros
/// What the backed properties of one object have in common.
///
/// That is the store, the prefix of the keys, and whether others' changes concern the object. Used by generated code, as
/// ``DefaultsHost`` or ``CloudHost``.
///
/// Unchecked because it is inherited from: sound since all variables are guarded.
public class BackedPropertyHost: @unchecked Sendable {
  /// Where values are kept.
  struct Place {
    let store: any DefaultsStore
    let prefix: String
    /// Another one whenever the place is.
    let generation: Int
  }

  private struct State {
    /// Makes the store where it is first needed, as a hand-written initializer may name another one before.
    var makeStore: @Sendable () -> any DefaultsStore
    var store: (any DefaultsStore)?
    var prefix: String
    var generation = 0
    var isFollowing = false
    /// Whether the store, once there is one, cannot tell of all changes.
    var mayChangeUnnoticed = false
  }

  private let state: Guarded<State>

  init(prefix: String, makeStore: @escaping @Sendable () -> any DefaultsStore) {
    Self.check(prefix)
    state = Guarded(State(makeStore: makeStore, prefix: prefix))
  }

  /// What precedes the keys of all properties.
  public var prefix: String {
    get { state.withLock(\.prefix) }
    set {
      Self.check(newValue)
      state.withLock { state in
        state.prefix = newValue
        state.generation += 1
      }
    }
  }

  /// The key that a property's attribute gives as an expression.
  ///
  /// - Parameters:
  ///   - key: What the attribute says.
  ///   - name: The key where it says nothing.
  /// - Returns: The key, without the prefix.
  public static func key(_ key: String?, or name: String) -> String { key ?? name }

  /// What tells that a property's reference is out of date, and whether others' changes concern the object.
  final var situation: (generation: Int, isFollowing: Bool) { state.withLock { ($0.generation, $0.isFollowing) } }

  /// Whether properties have to look at the store each time.
  final var mayChangeUnnoticed: Bool { state.withLock(\.mayChangeUnnoticed) }

  /// Where values are kept.
  final var place: Place {
    while true {
      let (store, make, prefix, generation) = state.withLock { ($0.store, $0.makeStore, $0.prefix, $0.generation) }
      if let store { return Place(store: store, prefix: prefix, generation: generation) }
      let made = make()
      state.withLock { state in
        // Where another thread was quicker, or named another store, that is the one to use.
        guard state.store == nil, state.generation == generation else { return }
        state.store = made
        state.mayChangeUnnoticed = made.mayChangeUnnoticed
      }
    }
  }

  /// Whether others' changes concern the object.
  final func setFollowing(_ isFollowing: Bool) { state.withLock { $0.isFollowing = isFollowing } }

  /// Has another store be used from now on.
  final func use(_ makeStore: @escaping @Sendable () -> any DefaultsStore) {
    // The old store is released outside of the lock.
    let last = state.withLock { state in
      defer {
        state.makeStore = makeStore
        state.store = nil
        state.generation += 1
      }
      return state.store
    }
    withExtendedLifetime(last) {}
  }

  /// Called after a property's value was stored.
  func didStore() {}

  private static func check(_ prefix: String) {
    assert(
      !prefix.contains("."), "the prefix \"\(prefix)\" has a dot, which observers of user defaults take for a path")
  }
}

extension DefaultsStore {
  /// Whether values may change without anybody being told.
  ///
  /// iCloud tells of other machines' changes only, and Foundation on Linux of none.
  fileprivate var mayChangeUnnoticed: Bool {
    #if canImport(Darwin)
    self is CloudStore
    #else
    self is CloudStore || self is UserDefaultsStore
    #endif
  }
}
#endif
