public import Plist

// What is chosen for a type is chosen by the compiler: of the declarations that fit, the most special one, and those for
// `Codable` only if no other fits.

extension DefaultsCoding where Value: PropertyListValue {
  /// The property-list form of the type.
  public static var automatic: Self { .propertyList }
}

extension DefaultsCoding where Value: RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// The property-list form of the raw value.
  public static var automatic: Self { .rawValue }
}

extension DefaultsCoding
where Value: PropertyListValue & RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// The property-list form of the type, which is that of the raw value unless the type says otherwise.
  public static var automatic: Self { .propertyList }
}

extension DefaultsCoding where Value: Codable {
  /// A tree of dictionaries and arrays.
  @_disfavoredOverload public static var automatic: Self { .codable }
}
