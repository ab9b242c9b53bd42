public import Plist

// `DefaultKey` has a separate initializer for each kind of coding. The compiler prefers the initializer for the
// property-list form, then the initializer for raw values, then the initializer for `Codable`. The initializers for raw
// values and for `Codable` are disfavored overloads. Of the overloads for raw values and for `Codable`, the compiler
// prefers the initializer without a default argument for `coding`.

extension DefaultKey where Value: PropertyListValue {
  /// Creates a key for a value that is stored in its property-list form.
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .propertyList, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// Creates a key for a value that is stored as its raw value.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: .rawValue, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: _RawValueContainer {
  /// Creates a key for an optional, array or dictionary of values that are stored as raw values.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: defaultValue, coding: Value._rawValueForm, nilPolicy: nilPolicy)
  }
}

extension DefaultKey {
  /// Creates a key for an optional array or dictionary of values that are stored as raw values.
  @_disfavoredOverload
  public convenience init<Container: _RawValueContainer>(
    _ name: String, default defaultValue: Value = nil, nilPolicy: NilPolicy = .remove
  ) where Value == Container? {
    self.init(name, default: defaultValue, coding: .optional(Container._rawValueForm), nilPolicy: nilPolicy)
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
  /// Creates a key whose value is nil when nothing is stored for the key.
  public convenience init(_ name: String, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: nil, coding: .propertyList, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & _RawValueContainer {
  /// Creates a key whose value is nil when nothing is stored for the key.
  @_disfavoredOverload
  public convenience init(_ name: String, nilPolicy: NilPolicy = .remove) {
    self.init(name, default: nil, coding: Value._rawValueForm, nilPolicy: nilPolicy)
  }
}

extension DefaultKey where Value: ExpressibleByNilLiteral & Codable {
  /// Creates a key whose value is nil when nothing is stored for the key.
  @_disfavoredOverload
  public convenience init(
    _ name: String, nilPolicy: NilPolicy = .remove, coding: DefaultsCoding<Value> = .codable
  ) {
    self.init(name, default: nil, coding: coding, nilPolicy: nilPolicy)
  }
}
