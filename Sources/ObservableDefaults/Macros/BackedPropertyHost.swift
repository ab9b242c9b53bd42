#if Macros
import Plist

/// The state shared by an object's stored properties, for use by generated code.
///
/// The class is `open` so that `ObservableDefaultsCloud` can subclass it. Code outside this package cannot create an
/// instance, since the initializer isn't public.
///
/// `@unchecked Sendable` is sound because locks guard all variables, including those of subclasses.
open class _BackedPropertyHost: @unchecked Sendable {
  package struct Location {
    package let store: any DefaultsStore
    let prefix: String
    /// The number of times that the store or the prefix has been replaced.
    let generation: Int
  }

  struct Situation {
    let generation: Int
    /// Whether changes made outside the object notify its observers.
    let isFollowing: Bool
    /// Whether a property must read the store at each use because the store doesn't report all changes.
    let mayChangeUnnoticed: Bool
    /// The property of a reference that the object's observers track, which depends on whether the object is isolated
    /// to the main actor.
    let observed: ReferenceProperty
  }

  private struct State {
    /// Creates the store on first use, since a custom initializer can set a different store before then.
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

  /// The prefix of all the object's keys.
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

  /// The state that a property needs at each access.
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
        // If another thread has set a store in the meantime, use that one.
        guard state.store == nil, state.generation == generation else { return }
        state.store = made
        state.mayChangeUnnoticed = made.own.mayChangeUnnoticed
      }
    }
  }

  package final func setFollowing(_ isFollowing: Bool) { state.withLock { $0.isFollowing = isFollowing } }

  /// Sets the actor that isolates the object.
  ///
  /// If that is the main actor, observers are called on it.
  public final func belongs(to actor: (any Actor)?) {
    let isOfMainActor = actor === MainActor.shared
    state.withLock { $0.isOfMainActor = isOfMainActor }
  }

  package final func use(_ makeStore: @escaping @Sendable () -> any DefaultsStore) {
    // Release the old store outside the lock, since its deinitializer can run arbitrary code.
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

  /// Notifies subclasses that a property's value has been stored.
  open func didStore() {}
}
#endif
