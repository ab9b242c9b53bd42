public import Plist

// As in `DefaultKey+Automatic.swift`.

extension UserDefault where Value: PropertyListValue {
  /// Creates a property whose value is stored by its property-list form.
  ///
  /// - Parameters:
  ///   - wrappedValue: What shows when nothing is stored.
  ///   - name: The key in the store.
  ///   - store: The store; nil for the one that is current when the property is created.
  public init(wrappedValue: Value, _ name: String, store: (any DefaultsStore)? = nil) {
    self.init(DefaultKey(name, default: wrappedValue), store: store)
  }
}

extension UserDefault where Value: RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a property whose value is stored by its raw value.
  ///
  /// - Parameters:
  ///   - wrappedValue: What shows when nothing is stored.
  ///   - name: The key in the store.
  ///   - store: The store; nil for the one that is current when the property is created.
  public init(wrappedValue: Value, _ name: String, store: (any DefaultsStore)? = nil) {
    self.init(DefaultKey(name, default: wrappedValue), store: store)
  }
}

extension UserDefault
where Value: PropertyListValue & RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a property whose value is stored by its property-list form.
  ///
  /// - Parameters:
  ///   - wrappedValue: What shows when nothing is stored.
  ///   - name: The key in the store.
  ///   - store: The store; nil for the one that is current when the property is created.
  public init(wrappedValue: Value, _ name: String, store: (any DefaultsStore)? = nil) {
    self.init(DefaultKey(name, default: wrappedValue), store: store)
  }
}

extension UserDefault where Value: Codable {
  /// Creates a property whose value is stored as a tree of dictionaries and arrays.
  ///
  /// - Parameters:
  ///   - wrappedValue: What shows when nothing is stored.
  ///   - name: The key in the store.
  ///   - store: The store; nil for the one that is current when the property is created.
  @_disfavoredOverload
  public init(wrappedValue: Value, _ name: String, store: (any DefaultsStore)? = nil) {
    self.init(DefaultKey(name, default: wrappedValue), store: store)
  }
}

extension UserDefault {
  /// Creates a property whose value, if any, is stored by its raw value.
  ///
  /// - Parameters:
  ///   - wrappedValue: What shows when nothing is stored.
  ///   - name: The key in the store.
  ///   - store: The store; nil for the one that is current when the property is created.
  public init<Wrapped: RawRepresentable>(
    wrappedValue: Value = nil, _ name: String, store: (any DefaultsStore)? = nil
  ) where Value == Wrapped?, Wrapped.RawValue: PropertyListValue & SendableMetatype {
    self.init(DefaultKey(name, default: wrappedValue), store: store)
  }
}

extension UserDefault where Value: ExpressibleByNilLiteral & PropertyListValue {
  /// Creates a property that is nil when nothing is stored; its value is stored by its property-list form.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the one that is current when the property is created.
  public init(_ name: String, store: (any DefaultsStore)? = nil) {
    self.init(DefaultKey(name), store: store)
  }
}

extension UserDefault where Value: ExpressibleByNilLiteral & Codable {
  /// Creates a property that is nil when nothing is stored; its value is stored as a tree of dictionaries and arrays.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - store: The store; nil for the one that is current when the property is created.
  @_disfavoredOverload
  public init(_ name: String, store: (any DefaultsStore)? = nil) {
    self.init(DefaultKey(name), store: store)
  }
}
