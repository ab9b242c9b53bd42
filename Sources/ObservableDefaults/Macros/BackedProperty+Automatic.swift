#if Macros
public import Plist

// `DefaultKey+Automatic.swift` describes which of the initializers of `_BackedProperty` the compiler prefers. For a
// type that supports no coding, the compiler reports the error message of the initializer that is marked unavailable.

extension _BackedProperty where Value: PropertyListValue {
  /// Creates a property that is stored in its property-list form.
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, coding: .propertyListForm)
  }
}

extension _BackedProperty where Value: RawRepresentable, Value.RawValue: PropertyListValue {
  /// Creates a property that is stored as its raw value.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, coding: .rawValueForm)
  }
}

extension _BackedProperty where Value: _RawValueContainer {
  /// Creates a property for an optional, array or dictionary of values that are stored as raw values.
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
  /// Creates a property for an optional array or dictionary of values that are stored as raw values.
  @_disfavoredOverload
  public convenience init<Container: _RawValueContainer>(
    _ name: String, default defaultValue: Value
  ) where Value == Container? {
    self.init(name, default: defaultValue, coding: .optional(Container._rawValueForm))
  }

  /// Reports an error at compile time for a type that cannot be stored.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the type of a stored property, or the type of its raw value, must be Codable or a PropertyListValue"
  )
  public convenience init(_ name: String, default defaultValue: Value) { fatalError("unavailable") }
}
#endif
