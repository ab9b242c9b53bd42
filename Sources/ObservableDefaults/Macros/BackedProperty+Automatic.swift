#if Macros
public import Plist

// One initializer for each way of storing; the compiler takes the most special one that fits, and the one for `Codable`
// only if no other does. See `BackedProperty+Elements.swift` for collections of values that are stored by raw values.

extension BackedProperty where Value: PropertyListValue {
  /// Creates a property whose value is stored by its property-list form.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, form: .propertyList)
  }
}

extension BackedProperty where Value: RawRepresentable, Value.RawValue: PropertyListValue {
  /// Creates a property whose value is stored by its raw value.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, form: .rawValue)
  }
}

extension BackedProperty where Value: PropertyListValue & RawRepresentable, Value.RawValue: PropertyListValue {
  /// Creates a property whose value is stored by its property-list form.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, form: .propertyList)
  }
}

extension BackedProperty where Value: Codable {
  /// Creates a property whose value is stored as a tree of dictionaries and arrays.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  @_disfavoredOverload
  public convenience init(_ name: String, default defaultValue: Value) {
    self.init(name, default: defaultValue, form: .codable)
  }
}
#endif
