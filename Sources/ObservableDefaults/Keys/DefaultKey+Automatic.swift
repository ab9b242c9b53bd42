public import Plist

// One declaration for each way of storing. The compiler takes the most special one that fits, and the one for `Codable`
// only if no other does. Those for raw values come twice, so that the property-list form of a type that has one is
// preferred. See `DefaultsCoding`.

extension DefaultKey where Value: PropertyListValue {
  /// Creates a key for a value that is stored by its property-list form.
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .propertyList, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a key for a value that is stored by its raw value.
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .rawValue, nilPolicy: nilPolicy)
  }
}

extension DefaultKey
where Value: PropertyListValue & RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a key for a value that is stored by its property-list form.
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .propertyList, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: _RawValueContainer {
  /// Creates a key for a value that is stored by raw values.
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: Value._rawValueForm, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: PropertyListValue & _RawValueContainer {
  /// Creates a key for a value that is stored by its property-list form.
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .propertyList, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: Codable {
  /// Creates a key for a value that is stored as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .codable, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & PropertyListValue {
  /// Creates a key for a value that is nil if nothing is stored.
  public convenience init(_ name: String, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: nil, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & _RawValueContainer {
  /// Creates a key for a value that is nil if nothing is stored.
  public convenience init(_ name: String, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: nil, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & PropertyListValue & _RawValueContainer {
  /// Creates a key for a value that is nil if nothing is stored.
  public convenience init(_ name: String, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: nil, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & Codable {
  /// Creates a key for a value that is nil if nothing is stored.
  @_disfavoredOverload
  public convenience init(_ name: String, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: nil, nilPolicy: nilPolicy)
  }
}
