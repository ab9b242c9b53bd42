public import Plist

// Each way of storing has one declaration. The compiler prefers the property-list form, then raw values, then
// `Codable`. The last two are disfavored; of these the compiler prefers the one that has no default for `coding`.

extension DefaultKey where Value: PropertyListValue {
  /// Creates a key for a value that is stored by its property-list form.
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .propertyList, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a key for a value that is stored by its raw value.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .rawValue, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: _RawValueContainer {
  /// Creates a key for a value that is stored by raw values.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: Value._rawValueForm, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: Codable {
  /// Creates a key for a value that is stored as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public convenience init(
    _ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove,
    coding: DefaultsCoding<Value> = .codable
  ) {
    self.init(name, default: defaultValue, coding: coding, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & PropertyListValue {
  /// Creates a key for a value that is nil if nothing is stored.
  public convenience init(_ name: String, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: nil, coding: .propertyList, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & _RawValueContainer {
  /// Creates a key for a value that is nil if nothing is stored.
  @_disfavoredOverload
  public convenience init(_ name: String, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: nil, coding: Value._rawValueForm, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & Codable {
  /// Creates a key for a value that is nil if nothing is stored.
  @_disfavoredOverload
  public convenience init(
    _ name: String, nilPolicy: NilPolicy = .remove, coding: DefaultsCoding<Value> = .codable
  ) {
    self.init(name, default: nil, coding: coding, nilPolicy: nilPolicy)
  }
}
