#if Macros
import Plist

/// What the backed properties of one object have in common, for generated code.
///
/// That is the store, the prefix of the keys, and whether others' changes concern the object; see ``DefaultsHost`` and
/// ``CloudHost``.
///
/// Unchecked because it is inherited from: sound since all variables are guarded.
public class _BackedPropertyHost: @unchecked Sendable {
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
    var isOfMainActor = false
    /// Whether the store, once there is one, cannot tell of all changes.
    var mayChangeUnnoticed = false
  }

  private let state: Guarded<State>

  init(prefix: String, makeStore: @escaping @Sendable () -> any DefaultsStore) {
    state = Guarded(State(makeStore: makeStore, prefix: prefix))
  }

  /// What precedes the keys of all properties.
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
  ///
  /// - Parameters:
  ///   - key: What the attribute says.
  ///   - name: The key where it says nothing.
  /// - Returns: The key, without the prefix.
  public static func key(_ key: String?, or name: String) -> String { key ?? name }

  /// What a property looks at each time it is used.
  struct Situation {
    /// Whether a reference is out of date is told by this.
    let generation: Int
    /// Whether others' changes concern the object.
    let isFollowing: Bool
    /// Whether the store cannot tell of all changes, and has to be looked at.
    let mayChangeUnnoticed: Bool
  }

  final var situation: Situation {
    state.withLock { state in
      Situation(
        generation: state.generation, isFollowing: state.isFollowing, mayChangeUnnoticed: state.mayChangeUnnoticed)
    }
  }

  /// Where values are kept.
  final var place: Place {
    while true {
      let (store, make, prefix, generation) = state.withLock { ($0.store, $0.makeStore, $0.prefix, $0.generation) }
      if prefix.contains(".") {
        let message = "the prefix \"\(prefix)\" has a dot, which observers of user defaults take for a path"
        return Place(
          store: RefusingStore(DefaultsError(.invalidName, message)), prefix: prefix, generation: generation)
      }
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

  /// The property of references that the object's observers are told of.
  final var observedProperty: ReferenceProperty { state.withLock(\.isOfMainActor) ? .mainActorValue : .value }

  /// Notes the actor to which the object belongs: the observers of an object of the main actor are called there.
  ///
  /// - Parameter actor: The actor, or nil.
  public final func belongs(to actor: (any Actor)?) {
    let isOfMainActor = actor === MainActor.shared
    state.withLock { $0.isOfMainActor = isOfMainActor }
  }

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

}

/// A store that holds nothing and takes nothing, for objects that cannot have theirs.
private final class RefusingStore: DefaultsStore {
  let error: DefaultsError

  init(_ error: DefaultsError) { self.error = error }

  var identity: DefaultsStoreIdentity { DefaultsStoreIdentity(self) }
  func load(_ key: String) throws -> PropertyList? { throw error }
  func save(_ value: PropertyList?, for key: String) throws { throw error }
  func update(_ body: (inout DefaultsBatch) throws -> Void) throws { throw error }
  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    DefaultsSubscription {}
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
