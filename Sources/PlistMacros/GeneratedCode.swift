#if Macros
public import Plist
import Synchronization

// The functions that the code of the macros calls. A macro does not know whether the type of a property conforms to
// `PlistDecodable` or only to `Decodable`, so that the compiler selects one of two overloads. For a type that conforms
// to neither, it reports the message of the overload that is marked unavailable.

extension PlistValueDecoder {
  /// Decodes the value into a variable.
  @inlinable
  public mutating func _read<Value: PlistDecodable>(_ variable: inout Value?) throws {
    variable = try decode(Value.self)
  }

  /// Decodes the value into a variable.
  @inlinable
  public mutating func _read<Value: PlistDecodable>(_ variable: inout Value??) throws {
    variable = .some(try decode(Value?.self))
  }

  /// Decodes the value into a variable.
  @inlinable @_disfavoredOverload
  public mutating func _read<Value: Decodable>(_ variable: inout Value?) throws {
    variable = try decode(codable: Value.self)
  }

  /// Reports an error at compile time for a type that cannot be decoded.
  @_disfavoredOverload
  @available(*, unavailable, message: "the type of a coded property must be PlistDecodable or Decodable")
  public mutating func _read<Value>(_ variable: inout Value?) throws { fatalError("unavailable") }

  /// Decodes the value.
  @inlinable
  public mutating func _decode<Value: PlistDecodable>() throws -> Value { try decode(Value.self) }

  /// Decodes the value.
  @inlinable @_disfavoredOverload
  public mutating func _decode<Value: Decodable>() throws -> Value { try decode(codable: Value.self) }

  /// Returns the value of a required key, or throws the error for a missing key.
  @inlinable
  public func _require<Value>(_ value: Value?, _ key: Int, of keys: PlistKeys) throws -> Value {
    try require(value, key, of: keys)
  }

  /// Returns the value of an optional property whose type has another name, for which no key is required.
  @inlinable
  public func _require<Value>(_ value: Value??, _ key: Int, of keys: PlistKeys) throws -> Value? { value ?? nil }

  /// Returns nil as an optional of the type of a property; `property` is not evaluated.
  @inlinable
  public static func _none<Root, Value>(_ property: @autoclosure () -> KeyPath<Root, Value>) -> Value? { nil }

  /// Throws an error unless the dictionary has exactly one of the keys of an enum.
  public mutating func _requireOneKey(of keys: PlistKeys, _ type: Any.Type) throws {
    var count = 0
    try decodeDictionary(keys) { _, _ in count += 1 }
    guard count != 1 else { return }
    let names = keys.names.map { "\"\($0)\"" }.joined(separator: ", ")
    throw error(
      "expected a dictionary with exactly one of the keys \(names), but found \(count == 0 ? "none" : "\(count)")",
      decoding: type)
  }
}

extension PlistValueEncoder {
  /// Encodes a pair with a declared key.
  @inlinable
  public mutating func _write<Value: PlistEncodable>(_ value: Value, forKey key: Int) throws {
    try encode(value, forKey: key)
  }

  /// Encodes a pair with a declared key, or leaves the pair out if the value is nil.
  @inlinable
  public mutating func _write<Value: PlistEncodable>(_ value: Value?, forKey key: Int) throws {
    try encode(value, forKey: key)
  }

  /// Encodes a pair with a declared key.
  @inlinable @_disfavoredOverload
  public mutating func _write<Value: Encodable>(_ value: Value, forKey key: Int) throws {
    try encode(codable: value, forKey: key)
  }

  /// Encodes a pair with a declared key, or leaves the pair out if the value is nil.
  @inlinable @_disfavoredOverload
  public mutating func _write<Value: Encodable>(_ value: Value?, forKey key: Int) throws {
    try encode(codable: value, forKey: key)
  }

  /// Reports an error at compile time for a type that cannot be encoded.
  @_disfavoredOverload
  @available(*, unavailable, message: "the type of a coded property must be PlistEncodable or Encodable")
  public mutating func _write<Value>(_ value: Value, forKey key: Int) throws { fatalError("unavailable") }
}

/// The keys of generic types, which can have no static stored properties.
private let sharedKeys = Mutex<[SharedKeys: PlistKeys]>([:])

private struct SharedKeys: Hashable {
  let owner: ObjectIdentifier
  let name: String
}

extension PlistKeys {
  /// Returns the keys of a generic type, which are created once for each specialization of the type.
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
