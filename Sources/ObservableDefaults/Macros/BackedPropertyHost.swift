#if Macros
import Plist

/// The common state of the backed properties of one object, for generated code; see `_DefaultsHost` and `_CloudHost`.
///
/// Unchecked because it has subclasses. Sound since all variables are guarded.
public class _BackedPropertyHost: @unchecked Sendable {
  /// The store and the prefix of the keys.
  struct Location {
    let store: any DefaultsStore
    let prefix: String
    /// A number that changes with the location.
    let generation: Int
  }

  private struct State {
    /// Creates the store when it is first needed, since a hand-written initializer may set another one before.
    var makeStore: @Sendable () -> any DefaultsStore
    var store: (any DefaultsStore)?
    var prefix: String
    var generation = 0
    var isFollowing = false
    var isOfMainActor = false
    /// Whether the store does not signal all changes.
    var mayChangeUnnoticed = false
  }

  private let state: Guarded<State>

  init(prefix: String, makeStore: @escaping @Sendable () -> any DefaultsStore) {
    state = Guarded(State(makeStore: makeStore, prefix: prefix))
  }

  /// The prefix of all keys.
  public var prefix: String {
    get { state.withLock(\.prefix) }
    set {
      state.withLock { state in
        state.prefix = newValue
        state.generation += 1
      }
    }
  }

  /// The key that a property's attribute gives as an expression.
  public static func key(_ key: String?, or name: String) -> String { key ?? name }

  /// The state that a property reads each time it is used.
  ///
  /// The object's observers are called for others' changes if `isFollowing` is true. A store that `mayChangeUnnoticed`
  /// does not signal all changes, and has to be read again.
  final var situation: (generation: Int, isFollowing: Bool, mayChangeUnnoticed: Bool) {
    state.withLock { ($0.generation, $0.isFollowing, $0.mayChangeUnnoticed) }
  }

  /// The store and the prefix of the keys.
  final var location: Location {
    while true {
      let (store, make, prefix, generation) = state.withLock { ($0.store, $0.makeStore, $0.prefix, $0.generation) }
      if prefix.contains(".") {
        let message = "the prefix \"\(prefix)\" has a dot, which observers of user defaults take for a path"
        let store = InMemoryStore()
        store.simulateFailure(DefaultsError(.invalidName, message))
        return Location(store: store, prefix: prefix, generation: generation)
      }
      if let store { return Location(store: store, prefix: prefix, generation: generation) }
      let made = make()
      state.withLock { state in
        // If another thread was faster, or set another store, that store is used.
        guard state.store == nil, state.generation == generation else { return }
        state.store = made
        state.mayChangeUnnoticed = made.mayChangeUnnoticed
      }
    }
  }

  /// Sets whether the object's observers are called for others' changes.
  final func setFollowing(_ isFollowing: Bool) { state.withLock { $0.isFollowing = isFollowing } }

  /// The property of references that the object's observers read.
  final var observedProperty: ReferenceProperty { state.withLock(\.isOfMainActor) ? .mainActorValue : .value }

  /// Sets the actor to which the object belongs: the observers of an object of the main actor are called there.
  public final func belongs(to actor: (any Actor)?) {
    let isOfMainActor = actor === MainActor.shared
    state.withLock { $0.isOfMainActor = isOfMainActor }
  }

  /// Uses another store from now on.
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
}

extension DefaultsStore {
  /// Whether values may change without a signal.
  ///
  /// iCloud signals other machines' changes only, and Foundation on Linux none.
  fileprivate var mayChangeUnnoticed: Bool {
    #if canImport(Darwin)
    self is CloudStore
    #else
    self is CloudStore || self is UserDefaultsStore
    #endif
  }
}
#endif
