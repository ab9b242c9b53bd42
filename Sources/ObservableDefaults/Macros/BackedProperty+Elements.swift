#if Macros
public import Plist

// Optionals and collections of values that are stored by their raw value. Each comes twice, for the compiler to prefer the
// property-list form of those that have one.

extension BackedProperty {
  /// Creates a property of which the value, if any, is stored by its raw value.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init<Element: RawRepresentable>(
    _ name: String, default defaultValue: Value
  ) where Value == Element?, Element.RawValue: PropertyListValue {
    self.init(name, default: defaultValue, form: .optional(.rawValue))
  }

  /// Creates a property of which the value, if any, is stored by its property-list form.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init<Element: PropertyListValue & RawRepresentable>(
    _ name: String, default defaultValue: Value
  ) where Value == Element?, Element.RawValue: PropertyListValue {
    self.init(name, default: defaultValue, form: .propertyList)
  }

  /// Creates a property of which the elements are stored by their raw values.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init<Element: RawRepresentable>(
    _ name: String, default defaultValue: Value
  ) where Value == [Element], Element.RawValue: PropertyListValue {
    self.init(name, default: defaultValue, form: .array(.rawValue))
  }

  /// Creates a property of which the elements are stored by their property-list forms.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init<Element: PropertyListValue & RawRepresentable>(
    _ name: String, default defaultValue: Value
  ) where Value == [Element], Element.RawValue: PropertyListValue {
    self.init(name, default: defaultValue, form: .propertyList)
  }

  /// Creates a property of which the elements are stored by their raw values.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init<Element: RawRepresentable>(
    _ name: String, default defaultValue: Value
  ) where Value == [String: Element], Element.RawValue: PropertyListValue {
    self.init(name, default: defaultValue, form: .dictionary(.rawValue))
  }

  /// Creates a property of which the elements are stored by their property-list forms.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init<Element: PropertyListValue & RawRepresentable>(
    _ name: String, default defaultValue: Value
  ) where Value == [String: Element], Element.RawValue: PropertyListValue {
    self.init(name, default: defaultValue, form: .propertyList)
  }

  /// Creates a property of which the elements, if any, are stored by their raw values.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init<Element: RawRepresentable>(
    _ name: String, default defaultValue: Value
  ) where Value == [Element]?, Element.RawValue: PropertyListValue {
    self.init(name, default: defaultValue, form: .optional(.array(.rawValue)))
  }

  /// Creates a property of which the elements, if any, are stored by their property-list forms.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init<Element: PropertyListValue & RawRepresentable>(
    _ name: String, default defaultValue: Value
  ) where Value == [Element]?, Element.RawValue: PropertyListValue {
    self.init(name, default: defaultValue, form: .propertyList)
  }

  /// Creates a property of which the elements, if any, are stored by their raw values.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init<Element: RawRepresentable>(
    _ name: String, default defaultValue: Value
  ) where Value == [String: Element]?, Element.RawValue: PropertyListValue {
    self.init(name, default: defaultValue, form: .optional(.dictionary(.rawValue)))
  }

  /// Creates a property of which the elements, if any, are stored by their property-list forms.
  ///
  /// - Parameters:
  ///   - name: The key, without the prefix.
  ///   - defaultValue: The value that the property is declared with.
  public convenience init<Element: PropertyListValue & RawRepresentable>(
    _ name: String, default defaultValue: Value
  ) where Value == [String: Element]?, Element.RawValue: PropertyListValue {
    self.init(name, default: defaultValue, form: .propertyList)
  }
}
#endif
