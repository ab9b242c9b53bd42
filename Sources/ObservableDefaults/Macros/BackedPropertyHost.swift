#if Macros
import Plist

/// The state that the stored properties of an object share, for generated code.
///
/// It is `open` for the module `ObservableDefaultsCloud`. Code outside of this package cannot create one, since the
/// initializer is not public.
///
/// The unchecked conformance to `Sendable` is sound, since locks guard all variables, also those of the subclasses.
open class _BackedPropertyHost: @unchecked Sendable {
  package struct Location {
    package let store: any DefaultsStore
    let prefix: String
    /// How often the store or the prefix has been replaced.
    let generation: Int
  }

  struct Situation {
    let generation: Int
    /// Whether changes from outside the object notify its observers.
    let isFollowing: Bool
    /// Whether a property reads the store at each use, since the store does not report all changes.
    let mayChangeUnnoticed: Bool
    /// The property of a reference that observers of the object follow; it depends on whether the main actor isolates
    /// the object.
    let observed: ReferenceProperty
  }

  private struct State {
    /// Makes the store when it is first used, since a custom initializer can set another one before.
    var makeStore: @Sendable () -> any DefaultsStore
    var store: (any DefaultsStore)?
    var prefix: String
    var generation = 0
    var isFollowing = false
    var isOfMainActor = false
    var mayChangeUnnoticed = false
  }

  private let state: Guarded<State>

  package init(prefix: String, makeStore: @escaping @Sendable () -> any DefaultsStore) {
    state = Guarded(State(makeStore: makeStore, prefix: prefix))
  }

  /// The prefix of all keys of the object.
  public var prefix: String {
    get { state.withLock { $0.prefix } }
    set {
      state.withLock { state in
        state.prefix = newValue
        state.generation += 1
      }
    }
  }

  /// Returns the key from a property's attribute, or the property's name if the attribute has no key.
  public static func key(_ key: String?, or name: String) -> String { key ?? name }

  /// What a property needs to know at each access.
  final var situation: Situation {
    state.withLock { state in
      Situation(
        generation: state.generation, isFollowing: state.isFollowing, mayChangeUnnoticed: state.mayChangeUnnoticed,
        observed: state.isOfMainActor ? .mainActorValue : .value)
    }
  }

  package final var location: Location {
    while true {
      let (store, make, prefix, generation) = state.withLock { ($0.store, $0.makeStore, $0.prefix, $0.generation) }
      if prefix.contains(".") {
        let message =
          "the prefix \"\(prefix)\" contains a dot; "
          + "user defaults interpret a key with a dot as a key path, so the key cannot be observed"
        let store = InMemoryStore()
        store.simulateFailure(DefaultsError(.invalidName, message))
        return Location(store: store, prefix: prefix, generation: generation)
      }
      if let store { return Location(store: store, prefix: prefix, generation: generation) }
      let made = make()
      state.withLock { state in
        // If another thread has set a store meanwhile, that one is used.
        guard state.store == nil, state.generation == generation else { return }
        state.store = made
        state.mayChangeUnnoticed = made.own.mayChangeUnnoticed
      }
    }
  }

  package final func setFollowing(_ isFollowing: Bool) { state.withLock { $0.isFollowing = isFollowing } }

  /// Sets the actor that isolates the object.
  ///
  /// If it is the main actor, observers are called there.
  public final func belongs(to actor: (any Actor)?) {
    let isOfMainActor = actor === MainActor.shared
    state.withLock { $0.isOfMainActor = isOfMainActor }
  }

  package final func use(_ makeStore: @escaping @Sendable () -> any DefaultsStore) {
    // The old store is released outside of the lock, since its deinitializer can run other code.
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

  /// Called after the value of a property has been stored; subclasses can override it.
  open func didStore() {}
}
#endif
