public import Plist

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
