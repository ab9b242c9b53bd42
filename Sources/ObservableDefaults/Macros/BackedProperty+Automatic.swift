#if Macros
public import Plist

// One initializer for each way of storing, for generated code; `DefaultKey+Automatic.swift` describes how the compiler
// chooses. A type of none of these kinds gets the message of the last one.

extension _BackedProperty where Value: PropertyListValue {
  /// Creates a property that is stored by its property-list form.
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, coding: .propertyListForm)
  }
}

extension _BackedProperty where Value: RawRepresentable, Value.RawValue: PropertyListValue {
  /// Creates a property that is stored by its raw value.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, coding: .rawValueForm)
  }
}

extension _BackedProperty where Value: _RawValueContainer {
  /// Creates a property that is stored by raw values.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, coding: Value._rawValueForm)
  }
}

extension _BackedProperty where Value: Codable {
  /// Creates a property that is stored as a tree of dictionaries and arrays.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value, coding: DefaultsCoding<Value>? = nil) {
    self.init(name, default: defaultValue, coding: coding ?? .codableForm)
  }
}

extension _BackedProperty {
  /// Creates a property that is stored, if there is a value, by raw values.
  @_disfavoredOverload
  public convenience init<Container: _RawValueContainer>(
    _ name: String, default defaultValue: Value
  ) where Value == Container? {
    self.init(name, default: defaultValue, coding: .optional(Container._rawValueForm))
  }

  /// Reports a type that cannot be stored.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the type of a stored property must be Codable, a PropertyListValue, or have such a raw value"
  )
  public convenience init(_ name: String, default defaultValue: Value) { fatalError("unavailable") }
}
#endif
