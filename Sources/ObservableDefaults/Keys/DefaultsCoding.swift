import Foundation
public import Plist

/// A way to store the values of a type.
///
/// Wrappers, keys, `@Shared` and the macros choose the same default: the first way in this list that the type supports.
///
/// 1. The property-list form of a `PropertyListValue`.
/// 2. The property-list form of the raw value, also in optionals, arrays and dictionaries.
/// 3. A tree of dictionaries and arrays for a `Codable` type.
///
/// Reading is lenient. Numbers are converted if the conversion is exact. URLs are also read from archives and paths. A
/// `Codable` value is also read from data that holds JSON or a property list.
///
/// To store values in another way, pass a coding:
///
/// ```swift
/// let seconds = DefaultsCoding<Duration>("seconds") {
///   .real($0 / .seconds(1))
/// } decode: { stored in
///   guard let number = stored.double else { throw DefaultsError(.undecodableValue, "\(stored) is no number") }
///   return .seconds(number)
/// }
/// let timeout = DefaultKey("timeout", default: Duration.seconds(30), coding: seconds)
/// let user = DefaultKey("user", default: User(), coding: .jsonData)  // as another library stores it
/// ```
public struct DefaultsCoding<Value> {
  /// The name, which is unique among the ways to store the type.
  public let name: String
  let encode: (Value) throws -> PropertyList
  let decode: (PropertyList) throws -> Value

  /// Creates a way to store values; its functions may be bound to an actor.
  init(
    isolated name: String, encode: @escaping (Value) throws -> PropertyList,
    decode: @escaping (PropertyList) throws -> Value
  ) {
    self.name = name
    self.encode = encode
    self.decode = decode
  }

  /// Returns the error for a property list that is not of the type.
  static func mismatch(_ propertyList: PropertyList) -> DefaultsError {
    DefaultsError(.undecodableValue, "it is \(propertyList.kind) \(propertyList)")
  }
}

/// Unchecked because the functions need not be `Sendable`.
///
/// Sound since the public members require `Sendable` types, whose conformances belong to no actor. Only generated code
/// uses the other members, for properties of the same actor.
extension DefaultsCoding: @unchecked Sendable where Value: Sendable {}

// The public ways to store values.
extension DefaultsCoding where Value: Sendable {
  /// Creates a way of storing values.
  ///
  /// - Parameters:
  ///   - name: A name that is unique among the ways to store the type.
  ///   - encode: Returns the property list of a value; null removes the key.
  ///   - decode: Returns the value of a property list; throws if the property list has no such value.
  public init(
    _ name: String, encode: @escaping @Sendable (Value) throws -> PropertyList,
    decode: @escaping @Sendable (PropertyList) throws -> Value
  ) {
    self.init(isolated: name, encode: encode, decode: decode)
  }

  var comparison: ValueComparison<Value> { ValueComparison { [self] in try encode($0) } }
}

extension DefaultsCoding where Value: PropertyListValue & Sendable {
  /// The property-list form of the type.
  ///
  /// URLs are stored as absolute strings.
  public static var propertyList: Self { propertyListForm }
}

extension DefaultsCoding
where Value: RawRepresentable & Sendable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// The property-list form of the raw value.
  public static var rawValue: Self { rawValueForm }
}

extension DefaultsCoding where Value: Codable & Sendable {
  /// A tree of dictionaries and arrays, as `Codable` creates it; dates and data are stored as such.
  public static var codable: Self { codableForm }

  /// Data that holds JSON, a form that other libraries use.
  public static var jsonData: Self {
    Self("jsonData") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return .data(try encoder.encode($0))
    } decode: {
      try decodeLeniently($0)
    }
  }

  /// Data that holds a binary property list, a form that other libraries use.
  public static var propertyListData: Self {
    Self("propertyListData") {
      .data(try PlistEncoder().encode($0))
    } decode: {
      try decodeLeniently($0)
    }
  }
}

// The same ways for types whose conformances may belong to an actor.

extension DefaultsCoding where Value: PropertyListValue {
  static var propertyListForm: Self {
    let isURL = StoredURL.isType(Value.self)
    return Self(isolated: "propertyList") {
      $0.propertyList
    } decode: {
      var form = isURL ? StoredURL.normalized($0) : $0
      if isURL, let json = form.data, let text = try? JSONDecoder().decode(String.self, from: json) {
        form = .string(text)
      }
      guard let value = Value(propertyList: form) else { throw mismatch($0) }
      return value
    }
  }
}

extension DefaultsCoding where Value: RawRepresentable, Value.RawValue: PropertyListValue {
  static var rawValueForm: Self {
    Self(isolated: "rawValue") {
      $0.rawValue.propertyList
    } decode: {
      guard let value = Value.RawValue(propertyList: $0).flatMap(Value.init(rawValue:)) else { throw mismatch($0) }
      return value
    }
  }
}

extension DefaultsCoding where Value: Codable {
  static var codableForm: Self {
    Self(isolated: "codable") {
      // The encoder would write nil as a string, so nil is handled here.
      if ($0 as? any OptionalValue)?.isNil == true { return .null }
      return try PlistEncoder().encodeToPropertyList($0)
    } decode: {
      try decodeLeniently($0)
    }
  }

  /// Decodes a tree, data or text that holds JSON, or data that holds a property list.
  private static func decodeLeniently(_ stored: PropertyList) throws -> Value {
    do { return try PlistDecoder().decode(Value.self, from: stored) } catch {
      guard let data = stored.data ?? stored.string.map({ Data($0.utf8) }) else { throw error }
      if let value = try? JSONDecoder().decode(Value.self, from: data) { return value }
      guard stored.data != nil, let value = try? PlistDecoder().decode(Value.self, from: data) else { throw error }
      return value
    }
  }
}

extension DefaultsCoding {
  /// A way to store an optional value: as its wrapped value, or as null, which removes the key.
  public static func optional<Wrapped>(_ coding: DefaultsCoding<Wrapped>) -> Self where Value == Wrapped? {
    Self(isolated: "optional \(coding.name)") {
      try $0.map(coding.encode) ?? .null
    } decode: {
      $0.isNull ? nil : try coding.decode($0)
    }
  }

  /// A way to store an array of elements.
  public static func array<Element>(_ coding: DefaultsCoding<Element>) -> Self where Value == [Element] {
    Self(isolated: "array \(coding.name)") {
      .array(try $0.map(coding.encode))
    } decode: {
      guard let elements = $0.array else { throw mismatch($0) }
      return try elements.map(coding.decode)
    }
  }

  /// A way to store a dictionary of elements.
  public static func dictionary<Element>(_ coding: DefaultsCoding<Element>) -> Self where Value == [String: Element] {
    Self(isolated: "dictionary \(coding.name)") {
      PropertyList(try $0.mapValues(coding.encode))
    } decode: {
      guard let elements = [String: PropertyList](propertyList: $0) else { throw mismatch($0) }
      return try elements.mapValues(coding.decode)
    }
  }
}

/// A container of values with raw values, which determines its stored form.
public protocol _RawValueContainer {
  /// The form of the container in which the raw values replace the values.
  static var _rawValueForm: DefaultsCoding<Self> { get }
}

extension Optional: _RawValueContainer where Wrapped: RawRepresentable, Wrapped.RawValue: PropertyListValue {
  /// The form of the raw value, if there is a value.
  public static var _rawValueForm: DefaultsCoding<Self> { .optional(.rawValueForm) }
}

extension Array: _RawValueContainer where Element: RawRepresentable, Element.RawValue: PropertyListValue {
  /// The form of the array of raw values.
  public static var _rawValueForm: DefaultsCoding<Self> { .array(.rawValueForm) }
}

extension Dictionary: _RawValueContainer
where Key == String, Value: RawRepresentable, Value.RawValue: PropertyListValue {
  /// The form of the dictionary of raw values.
  public static var _rawValueForm: DefaultsCoding<Self> { .dictionary(.rawValueForm) }
}
