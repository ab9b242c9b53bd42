#if Macros
public import Foundation

/// The host of an object whose class has the macro `@ObservableDefaults`.
public final class _DefaultsHost: _BackedPropertyHost, @unchecked Sendable {
  /// Foundation's class under a name that generated code can use in any file.
  public typealias UserDefaults = Foundation.UserDefaults

  private struct State {
    /// The user defaults that a hand-written initializer has set.
    var userDefaults: UserDefaults?
    var ignoresExternalChanges: Bool
  }

  private let suiteName: String
  private let own: Guarded<State>

  /// Creates a host.
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
      if let scope { return scope.store(replacing: "suite \(suiteName)") }
      do { return try UserDefaultsStore(suiteName: suiteName) } catch { fatalError("\(error)") }
    }
  }

  /// The user defaults of the object; the values are stored there unless the object uses another store.
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

  /// Whether observers are called only for changes that the object itself makes.
  public var ignoresExternalChanges: Bool {
    get { own.withLock(\.ignoresExternalChanges) }
    set { own.withLock { $0.ignoresExternalChanges = newValue } }
  }

  /// Replaces the store of the object.
  public func use(_ store: any DefaultsStore) { use { store } }

  /// Starts to call the object's observers for changes from outside the object, unless the object ignores these
  /// changes.
  public func start() { setFollowing(!ignoresExternalChanges) }
}
#endif
