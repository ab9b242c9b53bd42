#if Macros
public import Plist

// The functions that generated code calls. A macro can't tell whether a property's type is `PlistDecodable` or only
// `Decodable`, so it leaves the choice to overload resolution. If the type is neither, the compiler picks an
// unavailable overload and prints its message.

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

  /// Makes the compiler reject a property whose type cannot be decoded.
  @_disfavoredOverload
  @available(*, unavailable, message: "the type of a coded property must be PlistDecodable or Decodable")
  public mutating func _read<Value>(_ variable: inout Value?) throws { fatalError("unavailable") }

  /// Decodes the current value as the type of a property.
  @inlinable
  public mutating func _decode<Value: PlistDecodable>() throws -> Value { try decode(Value.self) }

  /// Decodes the current value as the type of a property.
  @inlinable @_disfavoredOverload
  public mutating func _decode<Value: Decodable>() throws -> Value { try decode(codable: Value.self) }

  /// Takes the value of a required key out of a variable, or throws if the key is missing.
  ///
  /// Moving the value out saves a retain and a release per property.
  @inlinable
  public func _require<Value>(_ variable: inout Value?, _ key: Int, of keys: PlistKeys) throws -> Value {
    try require(variable.take(), key, of: keys)
  }

  /// Returns the value of a property whose type is a type alias for an optional, or nil if the key is missing.
  @inlinable
  public func _require<Value>(_ variable: inout Value??, _ key: Int, of keys: PlistKeys) throws -> Value? {
    variable.take() ?? nil
  }

  /// Returns nil as an optional of a property's type, which is inferred from the argument without evaluating it.
  @inlinable
  public static func _none<Root, Value>(_ property: @autoclosure () -> KeyPath<Root, Value>) -> Value? { nil }

  /// Throws unless the dictionary has exactly one key that names a case of an enum.
  public mutating func _requireOneKey(of keys: PlistKeys, _ type: Any.Type) throws {
    var count = 0
    try decodeDictionary(keys) { _, _ in count += 1 }
    guard count != 1 else { return }
    let names = keys.names.map { "\"\($0)\"" }.joined(separator: ", ")
    throw makeError(
      "expected a dictionary with exactly one of the keys \(names), "
        + "but found \(count == 0 ? "none" : "\(count)") of these keys",
      decoding: type)
  }
}

extension PlistValueEncoder {
  /// Encodes a value for the key at index `key`.
  @inlinable
  public mutating func _write<Value: PlistEncodable>(_ value: Value, forKey key: Int) throws {
    try encode(value, forKey: key)
  }

  /// Encodes a value for the key at index `key`, unless it is nil.
  @inlinable
  public mutating func _write<Value: PlistEncodable>(_ value: Value?, forKey key: Int) throws {
    try encode(value, forKey: key)
  }

  /// Encodes a value for the key at index `key`.
  @inlinable @_disfavoredOverload
  public mutating func _write<Value: Encodable>(_ value: Value, forKey key: Int) throws {
    try encode(codable: value, forKey: key)
  }

  /// Encodes a value for the key at index `key`, unless it is nil.
  @inlinable @_disfavoredOverload
  public mutating func _write<Value: Encodable>(_ value: Value?, forKey key: Int) throws {
    try encode(codable: value, forKey: key)
  }

  /// Makes the compiler reject a property whose type cannot be encoded.
  @_disfavoredOverload
  @available(*, unavailable, message: "the type of a coded property must be PlistEncodable or Encodable")
  public mutating func _write<Value>(_ value: Value, forKey key: Int) throws { fatalError("unavailable") }
}

/// The keys of generic types, which can't store them in static properties.
private let sharedKeys = Guarded<[SharedKeys: PlistKeys]>([:])

private struct SharedKeys: Hashable {
  let owner: ObjectIdentifier
  let name: String
}

extension PlistKeys {
  /// Returns the keys of a generic type, which are created once per specialization.
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
