/// A property whose value is kept in a store.
///
/// ```swift
/// struct Settings {
///   @UserDefault(.launchCount) var launchCount          // a key declared in DefaultKeys
///   @UserDefault("name") var name = "Ada"               // a key by its name, with a default
///   @UserDefault("lastFile") var lastFile: URL?         // nil when nothing is stored
/// }
///
/// settings.launchCount += 1
/// let token = settings.$launchCount.observe { old, new in print(old, "→", new) }
/// ```
///
/// SwiftUI views, `withObservationTracking` and `Observations` observe the property when they read it, and all
/// properties with the same key share one value. Inside an `@Observable` class, mark the property with
/// `@ObservationIgnored`, since `@Observable` does not support property wrappers.
@propertyWrapper
public struct UserDefault<Value: Sendable>: Sendable {
  /// The reference to the shared value, for observing or resetting the value or reading an error.
  public let projectedValue: SharedReference<Value>

  /// The stored value, or the default value if nothing is stored.
  public var wrappedValue: Value {
    get { projectedValue.value }
    nonmutating set { projectedValue.value = newValue }
  }

  /// Creates a property that keeps its value in a store under a key.
  ///
  /// - Parameters:
  ///   - key: The key, such as one declared in an extension of ``DefaultKeys``.
  ///   - store: The store that keeps the value, or nil to use the store that is ``DefaultsStores/current`` when the
  ///     property is created.
  public init(_ key: DefaultKey<Value>, store: (any DefaultsStoreSource)? = nil) {
    projectedValue = (store?.defaultsStore ?? DefaultsStores.current).reference(for: key)
  }
}

extension UserDefault: Equatable where Value: Equatable {
  /// Returns whether two properties have equal values.
  public static func == (one: Self, other: Self) -> Bool {
    one.projectedValue === other.projectedValue || one.wrappedValue == other.wrappedValue
  }
}
