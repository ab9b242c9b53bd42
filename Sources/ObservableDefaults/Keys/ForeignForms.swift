import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The forms in which other libraries store values.
///
/// They are tried if a stored value isn't in our own form.
///
/// - JSON in data or text, for `Codable` types: fatbobman's ObservableDefaults, SwiftyUserDefaults, swift-sharing and
///   Defaults.
/// - A property list in data.
/// - A collection whose elements are JSON strings: Defaults.
/// - Text instead of a number, a Boolean or a date: command lines and hand-edited files.
enum ForeignForms {
  /// Decodes a stored value with `native` or, if that fails, from another library's form.
  ///
  /// - Throws: The error from `native`, if no other form fits either.
  static func decode<Value>(
    _ stored: PropertyList, _ native: (PropertyList) throws -> Value
  ) throws -> Value {
    do { return try native(stored) } catch {
      if let value = value(Value.self, stored) { return value }
      throw error
    }
  }

  /// Decodes a value like ``decode(_:_:)``, for a type whose `Decodable` conformance is known at compile time.
  ///
  /// An actor-isolated conformance could not be found at run time.
  static func decode<Value: Decodable>(_ stored: PropertyList) throws -> Value {
    do { return try PlistDecoder().decode(Value.self, from: stored) } catch {
      if let value = decoded(Value.self, stored) ?? elements(Value.self, stored) { return value }
      throw error
    }
  }

  /// Decodes a value from the tree of a JSON document, such as a file written by swift-sharing.
  ///
  /// JSON has no dates, so they are stored as numbers. Numbers are decoded as dates only if the tree is known to be
  /// JSON.
  static func json<Value>(_: Value.Type, _ tree: PropertyList) -> Value? {
    guard let type = Value.self as? any Decodable.Type, let bytes = try? tree.data(format: .json) else { return nil }
    return cast(try? JSONDecoder().decode(type, from: bytes))
  }

  /// Returns the property list from a JSON document stored as data or text, or nil if there is none.
  static func document(_ stored: PropertyList) -> PropertyList? {
    var options = PlistReadOptions()
    options.format = .json
    return jsonBytes(of: stored).flatMap { try? PropertyList(parsing: $0, options: options) }
  }

  /// Returns the value's bytes if they may be JSON.
  ///
  /// Text is considered only if it cannot be a number, a word or a URL.
  private static func jsonBytes(of stored: PropertyList) -> Data? {
    if let data = stored.data { return data }
    guard let text = stored.string, let first = text.utf8.first, "{[\"".utf8.contains(first) else { return nil }
    return Data(text.utf8)
  }

  private static func value<Value>(_: Value.Type, _ stored: PropertyList) -> Value? {
    if let type = Value.self as? any Decodable.Type, let value: Value = cast(decoded(type, stored)) { return value }
    return elements(Value.self, stored)
  }

  private static func decoded<Value: Decodable>(_: Value.Type, _ stored: PropertyList) -> Value? {
    if let bytes = jsonBytes(of: stored), let value = try? JSONDecoder().decode(Value.self, from: bytes) {
      return value
    }
    if let data = stored.data {
      // Nearly any text parses as an OpenStep string, but nobody stores values as OpenStep text.
      let format = PlistFormat(detecting: data)
      return format == .binary || format == .xml ? try? PlistDecoder().decode(Value.self, from: data) : nil
    }
    // A string where data is expected is more likely a mistake than Base64.
    if Value.self == Data.self || Value.self == Data?.self { return nil }
    var decoder = PlistDecoder()
    decoder.textDecodingStrategy = .lenient
    return try? decoder.decode(Value.self, from: stored)
  }

  private static func elements<Value>(_: Value.Type, _ stored: PropertyList) -> Value? {
    cast((Value.self as? any ForeignCollection.Type)?.init(elements: stored))
  }

  /// Casts a value unless it is nil, since a plain cast of nil to an optional type would succeed.
  private static func cast<Value>(_ found: Any?) -> Value? { found.flatMap { $0 as? Value } }

  /// Decodes an element of a collection, which can be in our own form or another library's.
  fileprivate static func element<Value>(_: Value.Type, _ stored: PropertyList) -> Value? {
    if let type = Value.self as? any PropertyListValue.Type {
      let form = StoredURL.isType(Value.self) ? StoredURL.normalized(stored) : stored
      if let value: Value = cast(form.flatMap { type.init(propertyList: $0) }) { return value }
    } else if let type = Value.self as? any RawRepresentable.Type, let value: Value = cast(raw(type, stored)) {
      return value
    } else if let type = Value.self as? any Decodable.Type,
      let value: Value = cast(try? PlistDecoder().decode(type, from: stored))
    {
      return value
    }
    return value(Value.self, stored)
  }

  private static func raw<Value: RawRepresentable>(_: Value.Type, _ stored: PropertyList) -> Value? {
    let rawValue = (Value.RawValue.self as? any PropertyListValue.Type)?.init(propertyList: stored)
    return (cast(rawValue) as Value.RawValue?).flatMap(Value.init(rawValue:))
  }
}

/// A type whose elements another library may have encoded one by one.
protocol ForeignCollection {
  /// The type of the stored elements.
  static var elementType: Any.Type { get }

  init?(elements stored: PropertyList)
}

extension Optional: ForeignCollection {
  static var elementType: Any.Type { Wrapped.self }

  init?(elements stored: PropertyList) {
    guard let value = ForeignForms.element(Wrapped.self, stored) else { return nil }
    self = .some(value)
  }
}

extension Array: ForeignCollection {
  static var elementType: Any.Type { Element.self }

  init?(elements stored: PropertyList) {
    guard let stored = stored.array else { return nil }
    self.init()
    for stored in stored {
      guard let element = ForeignForms.element(Element.self, stored) else { return nil }
      append(element)
    }
  }
}

extension Set: ForeignCollection {
  static var elementType: Any.Type { Element.self }

  init?(elements stored: PropertyList) {
    guard let elements = [Element](elements: stored) else { return nil }
    self.init(elements)
  }
}

extension Dictionary: ForeignCollection {
  static var elementType: Any.Type { Value.self }

  init?(elements stored: PropertyList) {
    guard let stored = stored.dictionary, let type = Key.self as? any LosslessStringConvertible.Type else {
      return nil
    }
    self.init()
    for (name, stored) in stored {
      guard let key = type.init(name) as? Key, let element = ForeignForms.element(Value.self, stored) else {
        return nil
      }
      self[key] = element
    }
  }
}

extension PropertyList {
  /// This value with all strings that represent numbers or Booleans converted, as `UserDefaults` converts them.
  ///
  /// Command-line arguments are strings, and so is the value set by `defaults write app flag YES`.
  var typed: PropertyList {
    switch self {
    case .array(let elements): .array(elements.map(\.typed))
    case .dictionary(let pairs): .dictionary(pairs.mapValues(\.typed))
    case .string(let text): PlistDecoder.TextDecodingStrategy.value(text) ?? self
    default: self
    }
  }
}
