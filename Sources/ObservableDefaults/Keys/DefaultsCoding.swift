public import Plist

/// How the values of a type are stored.
///
/// `automatic` is what is used where nothing is said: the property-list form of types that have one, the raw value of
/// types that have a raw value with such a form, and a tree of dictionaries and arrays for `Codable` types. The first that
/// applies is taken; so a raw value wins over `Codable`.
public struct DefaultsCoding<Value: Sendable>: Sendable {
  /// What tells ways of storing apart.
  public let name: String
  let encode: @Sendable (Value) throws -> PropertyList
  let decode: @Sendable (PropertyList) throws -> Value
  let comparison: ValueComparison<Value>

  /// Creates a way of storing values.
  ///
  /// - Parameters:
  ///   - name: What tells it from others for the same type.
  ///   - encode: The property list of a value; null removes the key.
  ///   - decode: The value of a property list; throws where it is none.
  public init(
    _ name: String, encode: @escaping @Sendable (Value) throws -> PropertyList,
    decode: @escaping @Sendable (PropertyList) throws -> Value
  ) {
    self.name = name
    self.encode = encode
    self.decode = decode
    comparison = ValueComparison(propertyList: encode)
  }

  /// The error where a property list is not of the type.
  static func mismatch(_ propertyList: PropertyList) -> DefaultsError {
    DefaultsError(.undecodableValue, "it is \(propertyList.kind) \(propertyList)")
  }
}

extension DefaultsCoding where Value: PropertyListValue {
  /// The property-list form of the type; numbers are converted where nothing is lost.
  ///
  /// URLs are stored as absolute strings; the archives and paths that Foundation's user defaults store are read too.
  public static var propertyList: Self {
    let isURL = StoredURL.isType(Value.self)
    return Self("propertyList") {
      $0.propertyList
    } decode: {
      guard let value = Value(propertyList: isURL ? StoredURL.normalized($0) : $0) else { throw mismatch($0) }
      return value
    }
  }
}

extension DefaultsCoding where Value: RawRepresentable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// The property-list form of the raw value.
  public static var rawValue: Self {
    Self("rawValue") {
      $0.rawValue.propertyList
    } decode: {
      guard let value = Value.RawValue(propertyList: $0).flatMap(Value.init(rawValue:)) else { throw mismatch($0) }
      return value
    }
  }
}

extension DefaultsCoding {
  /// The way in which an optional value is stored if it is not nil.
  public static func optional<Wrapped: Sendable>(_ coding: DefaultsCoding<Wrapped>) -> Self where Value == Wrapped? {
    Self("optional \(coding.name)") {
      try $0.map(coding.encode) ?? .null
    } decode: {
      $0.isNull ? nil : try coding.decode($0)
    }
  }
}
