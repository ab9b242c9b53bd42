public import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A conversion between values of a type and the property lists that represent them in a store.
///
/// Keys, property wrappers and macros choose the first of these forms that the type supports:
///
/// 1. The property-list form of a `PropertyListValue`.
/// 2. The raw value of a `RawRepresentable` type, or of each element of an optional, array or dictionary.
/// 3. A tree of dictionaries and arrays for a `Codable` type.
///
/// Decoding also accepts forms stored by other code. A number is converted if the conversion is exact. As in
/// `UserDefaults`, strings such as `YES` and `7` become Booleans and numbers; `PlistDecoder.TextDecodingStrategy` lists
/// the conversions. A URL can be stored as an archive or a path. A `Codable` value, on its own or in a collection, can
/// be stored as JSON in data or text, or as a property list in data.
///
/// To store values in a different form, pass your own coding:
///
/// ```swift
/// let seconds = DefaultsCoding<Duration>("seconds") {
///   .real($0 / .seconds(1))
/// } decode: { stored in
///   guard let number = stored.double else {
///     throw DefaultsError(.undecodableValue, "expected a number, found \(stored)")
///   }
///   return .seconds(number)
/// }
/// let timeout = DefaultKey("timeout", default: Duration.seconds(30), coding: seconds)
/// let user = DefaultKey("user", default: User(), coding: .jsonData)  // as another library stores it
/// ```
public struct DefaultsCoding<Value> {
  /// The name of the coding, which is unique among the type's codings.
  public let name: String
  let encode: (Value) throws -> PropertyList
  let decode: (PropertyList) throws -> Value
  /// Converts a value to a form that is the same for equal values.
  ///
  /// The stored form can differ between equal values. For example, JSON has a set's elements in arbitrary order.
  private(set) var comparableForm: (Value) throws -> PropertyList

  /// Creates a coding from closures that can be isolated to an actor.
  init(
    isolated name: String, encode: @escaping (Value) throws -> PropertyList,
    decode: @escaping (PropertyList) throws -> Value
  ) {
    self.name = name
    self.encode = encode
    comparableForm = encode
    self.decode = { stored in
      do { return try decode(stored) } catch {
        let typed = stored.typed
        guard typed != stored, let value = try? decode(typed) else { throw error }
        return value
      }
    }
  }

  static func mismatch(_ propertyList: PropertyList) -> DefaultsError {
    DefaultsError(.undecodableValue, "found the value \(propertyList), which is \(propertyList.kind.withArticle)")
  }
}

/// `@unchecked Sendable` is sound even though `encode` and `decode` need not be `Sendable`.
///
/// Codings created through the public API use only nonisolated conformances. Only generated code uses actor-isolated
/// conformances, and only for properties isolated to the same actor.
extension DefaultsCoding: @unchecked Sendable where Value: Sendable {}

extension DefaultsCoding where Value: Sendable {
  /// Creates a coding from two closures.
  ///
  /// - Parameters:
  ///   - name: A name that is unique among the type's codings.
  ///   - encode: A closure that converts a value to a property list. If it returns null, the store removes the key.
  ///   - decode: A closure that converts a property list to a value, or throws an error if it cannot.
  public init(
    _ name: String, encode: @escaping @Sendable (Value) throws -> PropertyList,
    decode: @escaping @Sendable (PropertyList) throws -> Value
  ) {
    self.init(isolated: name, encode: encode, decode: decode)
  }

  var comparison: ValueComparison<Value> { ValueComparison { [self] in try comparableForm($0) } }
}

extension DefaultsCoding where Value: PropertyListValue & Sendable {
  /// A coding that stores a value's property-list form, which for a URL is its absolute string.
  public static var propertyList: Self { propertyListForm }
}

extension DefaultsCoding
where Value: RawRepresentable & Sendable, Value.RawValue: PropertyListValue & SendableMetatype {
  /// A coding that stores a value's raw value in property-list form.
  public static var rawValue: Self { rawValueForm }
}

extension DefaultsCoding where Value: Codable & Sendable {
  /// A coding that stores a `Codable` value as a tree of dictionaries and arrays.
  ///
  /// Dates and data keep their property-list types.
  public static var codable: Self { codableForm }

  /// A coding that stores a `Codable` value as a tree of JSON types, as `JSONEncoder` encodes it.
  ///
  /// Use it for a JSON file. JSON has neither dates nor data, so `JSONEncoder` writes them as numbers and Base64.
  /// swift-sharing writes and reads such files.
  public static var json: Self {
    Self("json") {
      var options = PlistReadOptions()
      options.format = .json
      return try PropertyList(parsing: JSONEncoder().encode($0), options: options)
    } decode: { stored in
      if let value = ForeignForms.json(Value.self, stored) { return value }
      return try ForeignForms.decode(stored)
    }
    .compared
  }

  /// A coding that stores a `Codable` value as JSON in a data value, as some other libraries do.
  public static var jsonData: Self {
    Self("jsonData") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return .data(try encoder.encode($0))
    } decode: {
      try ForeignForms.decode($0)
    }
    .compared
  }

  /// This coding, but comparing values in the form of ``codable``, which sorts unordered collections.
  private var compared: Self {
    var coding = self
    coding.comparableForm = Self.codableForm.encode
    return coding
  }

  /// A coding that stores a `Codable` value as a binary property list in a data value, as some other libraries do.
  public static var propertyListData: Self {
    Self("propertyListData") {
      .data(try PlistEncoder().encode($0))
    } decode: {
      try ForeignForms.decode($0)
    }
  }
}

extension DefaultsCoding where Value: PropertyListValue {
  static var propertyListForm: Self {
    let (isURL, hasURLs) = (StoredURL.isType(Value.self), StoredURL.isCollection(Value.self))
    return Self(isolated: "propertyList") {
      let form = $0.propertyList
      if isURL { try StoredURL.check(form) }
      return form
    } decode: {
      try ForeignForms.decode($0) { stored in
        let form =
          isURL ? StoredURL.normalized(stored) : hasURLs ? StoredURL.normalizedElements(stored) : stored
        guard let value = form.flatMap(Value.init(propertyList:)) else { throw mismatch(stored) }
        return value
      }
    }
  }
}

extension DefaultsCoding where Value: RawRepresentable, Value.RawValue: PropertyListValue {
  static var rawValueForm: Self {
    Self(isolated: "rawValue") {
      $0.rawValue.propertyList
    } decode: {
      try ForeignForms.decode($0) { stored in
        guard let value = Value.RawValue(propertyList: stored).flatMap(Value.init(rawValue:)) else {
          throw mismatch(stored)
        }
        return value
      }
    }
  }
}

extension DefaultsCoding where Value: Codable {
  static var codableForm: Self {
    Self(isolated: "codable") {
      // `PlistEncoder` would encode nil as a string.
      if ($0 as? any OptionalValue)?.isNil == true { return .null }
      return try PlistEncoder().encodeToPropertyList($0)
    } decode: {
      try ForeignForms.decode($0)
    }
  }
}

extension DefaultsCoding {
  /// Returns a coding that stores an optional as its wrapped value, or nil as null.
  ///
  /// A store removes the key when the encoded value is null.
  public static func optional<Wrapped>(_ coding: DefaultsCoding<Wrapped>) -> Self where Value == Wrapped? {
    Self(isolated: "optional \(coding.name)") {
      try $0.map(coding.encode) ?? .null
    } decode: {
      $0.isNull ? nil : try coding.decode($0)
    }
  }

  /// Returns a coding for arrays that stores each element with the given coding.
  public static func array<Element>(_ coding: DefaultsCoding<Element>) -> Self where Value == [Element] {
    Self(isolated: "array \(coding.name)") {
      .array(try $0.map(coding.encode))
    } decode: {
      guard let elements = $0.array ?? ForeignForms.document($0)?.array else { throw mismatch($0) }
      return try elements.map(coding.decode)
    }
  }

  /// Returns a coding for dictionaries that stores each value with the given coding.
  public static func dictionary<Element>(_ coding: DefaultsCoding<Element>) -> Self where Value == [String: Element] {
    Self(isolated: "dictionary \(coding.name)") {
      PropertyList(try $0.mapValues(coding.encode))
    } decode: {
      guard let elements = [String: PropertyList](propertyList: ForeignForms.document($0) ?? $0) else {
        throw mismatch($0)
      }
      return try elements.mapValues(coding.decode)
    }
  }
}

/// An optional, array or dictionary type whose elements are stored as raw values.
public protocol _RawValueContainer {
  /// A coding that stores each element's raw value instead of the element itself.
  static var _rawValueForm: DefaultsCoding<Self> { get }
}

extension Optional: _RawValueContainer where Wrapped: RawRepresentable, Wrapped.RawValue: PropertyListValue {
  /// A coding that stores the wrapped value's raw value, or null for nil.
  public static var _rawValueForm: DefaultsCoding<Self> { .optional(.rawValueForm) }
}

extension Array: _RawValueContainer where Element: RawRepresentable, Element.RawValue: PropertyListValue {
  /// A coding that stores an array of the elements' raw values.
  public static var _rawValueForm: DefaultsCoding<Self> { .array(.rawValueForm) }
}

extension Dictionary: _RawValueContainer
where Key == String, Value: RawRepresentable, Value.RawValue: PropertyListValue {
  /// A coding that stores a dictionary of the values' raw values.
  public static var _rawValueForm: DefaultsCoding<Self> { .dictionary(.rawValueForm) }
}

struct ValueComparison<Value: Sendable>: Sendable {
  let areEqual: @Sendable (Value, Value) -> Bool

  /// Creates a comparison that uses `==` if the type is `Equatable`, and property lists otherwise.
  ///
  /// Values that are unequal to themselves, such as NaN, are also compared by property lists, so that setting NaN twice
  /// counts as one change.
  init(propertyList: @escaping @Sendable (Value) throws -> PropertyList = { try anyForm($0) }) {
    let areFormsEqual: @Sendable (Value, Value) -> Bool = { old, new in
      guard let old = try? propertyList(old), let new = try? propertyList(new) else { return false }
      return old == new
    }
    guard let type = Value.self as? any (Equatable & SendableMetatype).Type else {
      areEqual = areFormsEqual
      return
    }
    let areEqual = Self.comparison(type)
    self.areEqual = { old, new in areEqual(old, new) || !areEqual(new, new) && areFormsEqual(old, new) }
  }

  /// Returns the property list for a value whose type is known only at run time.
  private static func anyForm(_ value: Value) throws -> PropertyList {
    if let value = value as? any PropertyListValue { return value.propertyList }
    guard let value = value as? any Encodable else { throw DefaultsCoding<Bool>.mismatch(.null) }
    return try PlistEncoder().encodeToPropertyList(value)
  }

  private static func comparison<Known: Equatable & SendableMetatype>(
    _ type: Known.Type
  ) -> @Sendable (Value, Value) -> Bool {
    { old, new in
      guard let old = old as? Known, let new = new as? Known else { return false }
      return old == new
    }
  }
}
