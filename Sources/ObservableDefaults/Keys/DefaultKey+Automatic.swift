public import Plist

// One initializer for each way of storing; the compiler takes the most special one that fits. See `DefaultsCoding`.

extension DefaultKey where Value: PropertyListValue {
  /// Creates a key whose values are stored by their property-list form.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - defaultValue: What shows when nothing is stored.
  ///   - nilPolicy: What setting nil does, for an optional value.
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .automatic, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a key whose values are stored by their raw value.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - defaultValue: What shows when nothing is stored.
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, coding: .automatic)
  }
}

extension DefaultKey
where Value: PropertyListValue & RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a key whose values are stored by their property-list form.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - defaultValue: What shows when nothing is stored.
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, coding: .automatic)
  }
}

extension DefaultKey where Value: Codable {
  /// Creates a key whose values are stored as trees of dictionaries and arrays.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - defaultValue: What shows when nothing is stored.
  ///   - nilPolicy: What setting nil does, for an optional value.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .automatic, nilPolicy: nilPolicy)
  }
}

extension DefaultKey {
  /// Creates a key whose values, if any, are stored by their raw value.
  ///
  /// - Parameters:
  ///   - name: The key in the store.
  ///   - defaultValue: What shows when nothing is stored.
  ///   - nilPolicy: What setting nil does.
  public convenience init<Wrapped: RawRepresentable>(
    _ name: String, default defaultValue: Value = nil, nilPolicy: NilPolicy = .remove
  ) where Value == Wrapped?, Wrapped.RawValue: PropertyListValue & SendableMetatype {
    self.init(name, default: defaultValue, coding: .optional(.rawValue), nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & PropertyListValue {
  /// Creates a key for a value that may be absent, stored by its property-list form.
  ///
  /// - Parameter name: The key in the store.
  public convenience init(_ name: String) {
    self.init(name, default: nil, coding: .automatic)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & Codable {
  /// Creates a key for a value that may be absent, stored as a tree of dictionaries and arrays.
  ///
  /// - Parameter name: The key in the store.
  @_disfavoredOverload
  public convenience init(_ name: String) {
    self.init(name, default: nil, coding: .automatic)
  }
}
