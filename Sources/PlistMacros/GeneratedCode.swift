#if Macros
public import Plist

// The code that the macros generate calls the functions in this file. A macro cannot determine whether a property's
// type conforms to `PlistDecodable` or only to `Decodable`, so a function that codes a property has several overloads.
// The compiler selects one overload by the property's type. If a type conforms to neither `PlistDecodable` nor
// `Decodable`, the compiler selects an unavailable overload and reports the message of the overload.

extension PlistValueDecoder {
  /// Decodes the current value and stores the result in a variable.
  @inlinable
  public mutating func _read<Value: PlistDecodable>(_ variable: inout Value?) throws {
    variable = try decode(Value.self)
  }

  /// Decodes the current value and stores the result in a variable.
  @inlinable
  public mutating func _read<Value: PlistDecodable>(_ variable: inout Value??) throws {
    variable = .some(try decode(Value?.self))
  }

  /// Decodes the current value and stores the result in a variable.
  @inlinable @_disfavoredOverload
  public mutating func _read<Value: Decodable>(_ variable: inout Value?) throws {
    variable = try decode(codable: Value.self)
  }

  /// Causes an error at compile time if the type of a property cannot be decoded.
  @_disfavoredOverload
  @available(*, unavailable, message: "the type of a coded property must be PlistDecodable or Decodable")
  public mutating func _read<Value>(_ variable: inout Value?) throws { fatalError("unavailable") }

  /// Decodes the current value as the type of a property.
  @inlinable
  public mutating func _decode<Value: PlistDecodable>() throws -> Value { try decode(Value.self) }

  /// Decodes the current value as the type of a property.
  @inlinable @_disfavoredOverload
  public mutating func _decode<Value: Decodable>() throws -> Value { try decode(codable: Value.self) }

  /// Moves the value of a required key out of a variable, or throws an error if the key is missing.
  ///
  /// Moving the value, instead of copying the value, saves a retain and a release for each property.
  @inlinable
  public func _require<Value>(_ variable: inout Value?, _ key: Int, of keys: PlistKeys) throws -> Value {
    try require(variable.take(), key, of: keys)
  }

  /// Returns the value of a property whose type is a type alias for an optional, or nil if the key is missing.
  @inlinable
  public func _require<Value>(_ variable: inout Value??, _ key: Int, of keys: PlistKeys) throws -> Value? {
    variable.take() ?? nil
  }

  /// Returns nil as an optional of a property's type; the argument only determines the type, and is not evaluated.
  @inlinable
  public static func _none<Root, Value>(_ property: @autoclosure () -> KeyPath<Root, Value>) -> Value? { nil }

  /// Checks that the dictionary has exactly one of the keys that stand for the cases of an enum; otherwise, throws an
  /// error.
  public mutating func _requireOneKey(of keys: PlistKeys, _ type: Any.Type) throws {
    var count = 0
    try decodeDictionary(keys) { _, _ in count += 1 }
    guard count != 1 else { return }
    let names = keys.names.map { "\"\($0)\"" }.joined(separator: ", ")
    throw error(
      "expected a dictionary with exactly one of the keys \(names), "
        + "but found \(count == 0 ? "none" : "\(count)") of these keys",
      decoding: type)
  }
}

extension PlistValueEncoder {
  /// Encodes a value for the declared key with the index `key`.
  @inlinable
  public mutating func _write<Value: PlistEncodable>(_ value: Value, forKey key: Int) throws {
    try encode(value, forKey: key)
  }

  /// Encodes a value for the declared key with the index `key`, or omits the key if the value is nil.
  @inlinable
  public mutating func _write<Value: PlistEncodable>(_ value: Value?, forKey key: Int) throws {
    try encode(value, forKey: key)
  }

  /// Encodes a value for the declared key with the index `key`.
  @inlinable @_disfavoredOverload
  public mutating func _write<Value: Encodable>(_ value: Value, forKey key: Int) throws {
    try encode(codable: value, forKey: key)
  }

  /// Encodes a value for the declared key with the index `key`, or omits the key if the value is nil.
  @inlinable @_disfavoredOverload
  public mutating func _write<Value: Encodable>(_ value: Value?, forKey key: Int) throws {
    try encode(codable: value, forKey: key)
  }

  /// Causes an error at compile time if the type of a property cannot be encoded.
  @_disfavoredOverload
  @available(*, unavailable, message: "the type of a coded property must be PlistEncodable or Encodable")
  public mutating func _write<Value>(_ value: Value, forKey key: Int) throws { fatalError("unavailable") }
}

/// A cache of the keys of generic types; generic types cannot have static stored properties, so the cache stores their
/// keys.
private let sharedKeys = Guarded<[SharedKeys: PlistKeys]>([:])

private struct SharedKeys: Hashable {
  let owner: ObjectIdentifier
  let name: String
}

extension PlistKeys {
  /// Returns the keys of a generic type; the keys are created once for each specialization of the type.
  public static func _shared(by owner: Any.Type, _ name: String, _ names: () -> [String]) -> PlistKeys {
    let key = SharedKeys(owner: ObjectIdentifier(owner), name: name)
    return sharedKeys.withLock { keys in
      if let existing = keys[key] { return existing }
      let new = PlistKeys(names())
      keys[key] = new
      return new
    }
  }
}
#endif
