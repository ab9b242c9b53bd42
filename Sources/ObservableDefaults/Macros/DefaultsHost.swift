#if Macros
import Plist

#if canImport(Darwin)
public import Foundation
#endif

/// The state shared by the properties of an `@ObservableDefaults` object, for use by generated code.
public final class _DefaultsHost: _BackedPropertyHost, @unchecked Sendable {
  #if canImport(Darwin)
  /// Foundation's `UserDefaults`, under a name that generated code can use in files that don't import Foundation.
  public typealias UserDefaults = Foundation.UserDefaults
  #else
  /// The type that an object accepts as user defaults: a store or, with `ObservableDefaultsFoundation`, Foundation's
  /// `UserDefaults`.
  public typealias UserDefaults = any DefaultsStoreSource
  #endif

  private struct State {
    /// The user defaults set by a custom initializer.
    var userDefaults: UserDefaults?
    var ignoresExternalChanges: Bool
  }

  private let suiteName: String
  private let own: Guarded<State>

  /// Creates the state that an object's properties share.
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
      if suiteName.isEmpty { return scope?.store ?? DefaultsStores.current }
      return DefaultsStores.replacing("suite \(suiteName)", "the suite \(suiteName)", in: scope) {
        do { return try Self.store(ofSuite: suiteName) } catch { fatalError("\(error)") }
      }
    }
  }

  /// The user defaults that hold the object's values, unless the object uses another store.
  public var userDefaults: UserDefaults {
    get {
      if let named = own.withLock({ $0.userDefaults }) { return named }
      #if canImport(Darwin)
      return (suiteName.isEmpty ? nil : UserDefaults(suiteName: suiteName)) ?? .standard
      #else
      return location.store
      #endif
    }
    set {
      own.withLock { $0.userDefaults = newValue }
      let store = newValue.defaultsStore
      use { store }
    }
  }

  private static func store(ofSuite name: String) throws -> any DefaultsStore {
    #if canImport(Darwin)
    try UserDefaultsStore(suiteName: name)
    #else
    try PropertyListFileStore(domain: name)
    #endif
  }

  /// Whether to hide changes made outside the object from the object's observers.
  public var ignoresExternalChanges: Bool {
    get { own.withLock { $0.ignoresExternalChanges } }
    set { own.withLock { $0.ignoresExternalChanges = newValue } }
  }

  /// Replaces the store in which the object keeps its values.
  public func use(_ store: any DefaultsStore) { use { store } }

  /// Starts notifying the object's observers of changes made outside the object, unless the object ignores such
  /// changes.
  public func start() { setFollowing(!ignoresExternalChanges) }
}
#endif
