import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The forms in which other libraries store values.
///
/// They are tried if a stored value does not have our own form.
///
/// - Data or text with JSON: fatbobman's library, SwiftyUserDefaults, swift-sharing and Defaults, for `Codable` types.
/// - Data with a property list.
/// - A collection whose elements are JSON texts: Defaults.
/// - Text in place of a number, a Boolean or a date: command lines, and files that people edit.
enum ForeignForms {
  /// Decodes a stored value with the closure `native`, or else from the form of another library.
  ///
  /// - Throws: The error of `native`, if no form fits.
  static func decode<Value>(
    _ stored: PropertyList, _ native: (PropertyList) throws -> Value
  ) throws -> Value {
    do { return try native(stored) } catch {
      if let value = value(Value.self, stored) { return value }
      throw error
    }
  }

  /// Decodes a value of a type whose conformance to `Decodable` is known, as ``decode(_:_:)`` does.
  ///
  /// A conformance that is isolated to an actor could not be found at run time.
  static func decode<Value: Decodable>(_ stored: PropertyList) throws -> Value {
    do { return try PlistDecoder().decode(Value.self, from: stored) } catch {
      if let value = decoded(Value.self, stored) ?? elements(Value.self, stored) { return value }
      throw error
    }
  }

  /// Decodes a value from a JSON document that is stored as a tree, as swift-sharing writes a file.
  ///
  /// JSON has no dates, so they are stored as numbers, which are decoded as dates only if the tree is known to be JSON.
  static func json<Value>(_: Value.Type, _ tree: PropertyList) -> Value? {
    guard let type = Value.self as? any Decodable.Type, let bytes = try? tree.data(format: .json) else { return nil }
    return cast(try? JSONDecoder().decode(type, from: bytes))
  }

  /// The property list in data or text that contains a JSON document, or nil.
  static func document(_ stored: PropertyList) -> PropertyList? {
    var options = PlistReadOptions()
    options.format = .json
    return jsonBytes(of: stored).flatMap { try? PropertyList(parsing: $0, options: options) }
  }

  /// The bytes that may be JSON.
  ///
  /// Text is included only if it cannot be a number, a word or a URL.
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
      // Every text is an OpenStep string, but nobody stores values as OpenStep text.
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

  /// Casts a value unless it is nil: a plain cast of nil to an optional type would succeed.
  private static func cast<Value>(_ found: Any?) -> Value? { found.flatMap { $0 as? Value } }

  /// Decodes an element of a collection, which can have our own form or that of another library.
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

/// A type with elements that another library may have stored one by one.
protocol ForeignCollection {
  /// The type whose values are stored.
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
  /// This value with all strings that are numbers or Booleans converted, as `UserDefaults` converts them.
  ///
  /// Command-line arguments are strings, and so is the value of `defaults write app flag YES`.
  var typed: PropertyList {
    switch self {
    case .array(let elements): .array(elements.map(\.typed))
    case .dictionary(let pairs): .dictionary(pairs.mapValues(\.typed))
    case .string(let text): PlistDecoder.TextDecodingStrategy.value(text) ?? self
    default: self
    }
  }
}
