#if Macros
public import Foundation

/// The host of an object whose class has the macro `@ObservableDefaults`.
public final class _DefaultsHost: _BackedPropertyHost, @unchecked Sendable {
  /// Foundation's class, by a name that generated code can use wherever it is.
  public typealias UserDefaults = Foundation.UserDefaults

  private struct State {
    /// What a hand-written initializer has named.
    var userDefaults: UserDefaults?
    var ignoresExternalChanges: Bool
  }

  private let suiteName: String
  private let own: Guarded<State>

  /// Creates a host.
  ///
  /// - Parameters:
  ///   - ignoreExternalChanges: Whether only the object's own changes are told.
  ///   - suiteName: The suite of user defaults to use; empty for the store that is current now.
  ///   - prefix: What precedes the keys of all properties.
  ///   - store: The store to use, if it is not a suite's.
  public init(
    ignoreExternalChanges: Bool = false, suiteName: String = "", prefix: String = "",
    store: (any DefaultsStoreSource)? = nil
  ) {
    self.suiteName = suiteName
    own = Guarded(State(ignoresExternalChanges: ignoreExternalChanges))
    let store = store?.defaultsStore
    let scope = DefaultsScope.current
    super.init(prefix: prefix) {
      if let store { return store }
      if suiteName.isEmpty { return scope?.store ?? DefaultsStores.standard }
      if let scope { return scope.store(inPlaceOf: "suite \(suiteName)") }
      do { return try UserDefaultsStore(suiteName: suiteName) } catch { fatalError("\(error)") }
    }
  }

  /// The user defaults that are used, if they are.
  public var userDefaults: UserDefaults {
    get {
      if let named = own.withLock(\.userDefaults) { return named }
      return (suiteName.isEmpty ? nil : UserDefaults(suiteName: suiteName)) ?? .standard
    }
    set {
      own.withLock { $0.userDefaults = newValue }
      let store = UserDefaultsStore(newValue)
      use { store }
    }
  }

  /// Whether only the object's own changes are told.
  public var ignoresExternalChanges: Bool {
    get { own.withLock(\.ignoresExternalChanges) }
    set { own.withLock { $0.ignoresExternalChanges = newValue } }
  }

  /// Uses a store.
  public func use(_ store: any DefaultsStore) { use { store } }

  /// Tells the object of others' changes from now on, unless it ignores them.
  public func start() { setFollowing(!ignoresExternalChanges) }
}
#endif
