public import Plist

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
/// SwiftUI views, `withObservationTracking` and `Observations` observe a `UserDefault` property when they read the
/// property. Inside an `@Observable` class, mark the property with `@ObservationIgnored`, since `@Observable` does not
/// support property wrappers.
///
/// All `UserDefault` wrappers of the same key share one value.
@propertyWrapper
public struct UserDefault<Value: Sendable>: Sendable {
  /// The reference to the shared value.
  ///
  /// Use the reference to observe or reset the value, or to read an error.
  public let projectedValue: SharedReference<Value>

  /// The stored value, or the default value if nothing is stored.
  public var wrappedValue: Value {
    get { projectedValue.value }
    nonmutating set { projectedValue.value = newValue }
  }

  /// Creates a property that keeps its value in a store under a key.
  ///
  /// - Parameters:
  ///   - key: The key, such as a key that an extension of ``DefaultKeys`` declares.
  ///   - store: The store that keeps the value. If `store` is nil, the property uses the store that is
  ///     ``DefaultsStores/current`` when the property is created.
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

// `DefaultKey+Automatic.swift` describes which of the initializers of `UserDefault` the compiler prefers.

extension UserDefault where Value: PropertyListValue {
  /// Creates a property whose value is stored in its property-list form.
  public init(
    wrappedValue: Value, _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) {
    self.init(DefaultKey(name, default: wrappedValue, coding: .propertyList, nilPolicy: nilPolicy), store: store)
  }
}

extension UserDefault where Value: RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a property whose value is stored as its raw value.
  @_disfavoredOverload
  public init(
    wrappedValue: Value, _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) {
    self.init(DefaultKey(name, default: wrappedValue, coding: .rawValue, nilPolicy: nilPolicy), store: store)
  }
}

extension UserDefault where Value: _RawValueContainer {
  /// Creates a property for an optional, array or dictionary of values that are stored as raw values.
  @_disfavoredOverload
  public init(
    wrappedValue: Value, _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) {
    self.init(DefaultKey(name, default: wrappedValue, coding: Value._rawValueForm, nilPolicy: nilPolicy), store: store)
  }
}

extension UserDefault {
  /// Creates a property for an optional array or dictionary of values that are stored as raw values.
  @_disfavoredOverload
  public init<Container: _RawValueContainer>(
    wrappedValue: Value = nil, _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove
  ) where Value == Container? {
    self.init(
      DefaultKey(name, default: wrappedValue, coding: .optional(Container._rawValueForm), nilPolicy: nilPolicy),
      store: store)
  }
}

extension UserDefault where Value: Codable {
  /// Creates a property whose value is stored as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public init(
    wrappedValue: Value, _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove,
    coding: DefaultsCoding<Value> = .codable
  ) {
    self.init(DefaultKey(name, default: wrappedValue, coding: coding, nilPolicy: nilPolicy), store: store)
  }
}

extension UserDefault where Value: ExpressibleByNilLiteral & PropertyListValue {
  /// Creates a property whose value is nil when nothing is stored for the key.
  public init(_ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove) {
    self.init(wrappedValue: nil, name, store: store, nilPolicy: nilPolicy)
  }
}

extension UserDefault where Value: ExpressibleByNilLiteral & _RawValueContainer {
  /// Creates a property whose value is nil when nothing is stored for the key.
  @_disfavoredOverload
  public init(_ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove) {
    self.init(wrappedValue: nil, name, store: store, nilPolicy: nilPolicy)
  }
}

extension UserDefault where Value: ExpressibleByNilLiteral & Codable {
  /// Creates a property whose value is nil when nothing is stored for the key.
  @_disfavoredOverload
  public init(
    _ name: String, store: (any DefaultsStoreSource)? = nil, nilPolicy: NilPolicy = .remove,
    coding: DefaultsCoding<Value> = .codable
  ) {
    self.init(wrappedValue: nil, name, store: store, nilPolicy: nilPolicy, coding: coding)
  }
}
