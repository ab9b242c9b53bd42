#if Macros
import Foundation
import Plist

/// How the values of a property are stored: as ``DefaultsCoding``, for types that need not be `Sendable`, and whose
/// conformances may be those of an actor.
struct ValueForm<Value> {
  let encode: (Value) throws -> PropertyList
  let decode: (PropertyList) throws -> Value
  /// Whether two values are equal; never, where their type does not say so.
  let areEqual: (Value, Value) -> Bool

  init(encode: @escaping (Value) throws -> PropertyList, decode: @escaping (PropertyList) throws -> Value) {
    self.encode = encode
    self.decode = decode
    areEqual = (Value.self as? any Equatable.Type).map { Self.equality($0) } ?? { _, _ in false }
  }

  private static func equality<Known: Equatable>(_ type: Known.Type) -> (Value, Value) -> Bool {
    { one, other in
      guard let one = one as? Known, let other = other as? Known else { return false }
      return one == other
    }
  }
}

/// What is stored is of another type.
private struct FormMismatch: Error {}

extension ValueForm where Value: PropertyListValue {
  /// The property-list form of the type; URLs as text, with archives, paths and JSON read too.
  static var propertyList: Self {
    let isURL = StoredURL.isType(Value.self)
    return Self {
      $0.propertyList
    } decode: { stored in
      var form = isURL ? StoredURL.normalized(stored) : stored
      if isURL, let json = form.data, let text = try? JSONDecoder().decode(String.self, from: json) {
        form = .string(text)
      }
      guard let value = Value(propertyList: form) else { throw FormMismatch() }
      return value
    }
  }
}

extension ValueForm where Value: RawRepresentable, Value.RawValue: PropertyListValue {
  /// The property-list form of the raw value.
  static var rawValue: Self {
    Self {
      $0.rawValue.propertyList
    } decode: {
      guard let value = Value.RawValue(propertyList: $0).flatMap(Value.init(rawValue:)) else { throw FormMismatch() }
      return value
    }
  }
}

extension ValueForm where Value: Codable {
  /// A tree of dictionaries and arrays; data that holds JSON, as other libraries store it, is read too.
  static var codable: Self {
    Self {
      // The encoder has a text for nil.
      if ($0 as? any OptionalValue)?.isNil == true { return .null }
      return try PlistEncoder().encodeToPropertyList($0)
    } decode: { stored in
      do { return try PlistDecoder().decode(Value.self, from: stored) } catch {
        guard let json = stored.data, let value = try? JSONDecoder().decode(Value.self, from: json) else { throw error }
        return value
      }
    }
  }
}

extension ValueForm {
  /// Null, or the form of the value.
  static func optional<Wrapped>(_ form: ValueForm<Wrapped>) -> Self where Value == Wrapped? {
    Self {
      try $0.map(form.encode) ?? .null
    } decode: {
      $0.isNull ? nil : try form.decode($0)
    }
  }

  /// An array of the elements' forms.
  static func array<Element>(_ form: ValueForm<Element>) -> Self where Value == [Element] {
    Self {
      .array(try $0.map(form.encode))
    } decode: {
      guard let elements = $0.array else { throw FormMismatch() }
      return try elements.map(form.decode)
    }
  }

  /// A dictionary of the elements' forms.
  static func dictionary<Element>(_ form: ValueForm<Element>) -> Self where Value == [String: Element] {
    Self {
      PropertyList(try $0.mapValues(form.encode))
    } decode: {
      guard let elements = [String: PropertyList](propertyList: $0) else { throw FormMismatch() }
      return try elements.mapValues(form.decode)
    }
  }
}
#endif
