/// The container of a dictionary.
///
/// Whatever depends on the type of the keys is here and nothing else, since it cannot be specialized for keys that this
/// module does not know.
struct KeyedValueContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  // Two words, and in this order: see ``LentContainer``.
  private let level: UncheckedReference<DecodingLevel>
  private let owner: DecodingLevel?

  /// A container that keeps its level.
  ///
  /// - Precondition: The level has begun a dictionary.
  init(_ level: DecodingLevel) {
    self.level = UncheckedReference(unretained: level)
    owner = level
  }

  /// A container to be lent by its level.
  ///
  /// - Precondition: The level has begun a dictionary.
  init(lentBy level: DecodingLevel) {
    self.level = UncheckedReference(unretained: level)
    owner = nil
  }

  var codingPath: [any CodingKey] { level.object.codingPath }

  var allKeys: [Key] { level.object.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { level.object.contains(key.stringValue) }

  /// What `read` makes of the level and the name of `key`.
  @inline(__always)
  private func value<Value>(
    _ type: Any.Type, _ key: Key, _ read: (DecodingLevel, String) throws(DecodingFault) -> Value
  ) throws -> Value {
    try level.with { level in
      do throws(DecodingFault) { return try read(level, key.stringValue) } catch {
        throw level.error(error, decoding: type, at: key)
      }
    }
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try value(Any?.self, key) { (level, name) throws(DecodingFault) in
      try level.context.isNil(at: level.value(of: name))
    }
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(type, key) { (level, name) throws(DecodingFault) in try level.bool(of: name) }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(type, key) { (level, name) throws(DecodingFault) in try level.string(of: name) }
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(type, key) { (level, name) throws(DecodingFault) in try level.double(of: name) }
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(type, key) { (level, name) throws(DecodingFault) in try level.float(of: name) }
  }

  @inline(__always)
  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ key: Key) throws -> Integer {
    try value(type, key) { (level, name) throws(DecodingFault) in try level.integer(of: name, as: type) }
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(type, key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try level.with { level in
      let node: Int
      do throws(DecodingFault) { node = try level.value(of: key.stringValue) } catch {
        throw level.error(error, decoding: type, at: key)
      }
      return try decode(type, at: node, key, level)
    }
  }

  @inline(__always)
  private func decode<Value: Decodable>(
    _ type: Value.Type, at node: Int, _ key: Key, _ level: DecodingLevel
  ) throws -> Value {
    let known = level.knownType(type)
    if known != .none {
      do throws(DecodingFault) { return try level.context.known(known, at: node, as: type) } catch {
        guard case .undecided = error else { throw level.error(error, decoding: type, at: key) }
      }
    }
    return try level.decode(at: node, key: key) { try $0.decode(own: type) }
  }
}

/// Values that may be missing or nil.
extension KeyedValueContainer {
  /// The value of `key` as `read` reads it, nil where it is missing or nil.
  @inline(__always)
  private func present<Value>(
    _ key: Key, _ type: Value.Type, _ read: (DecodingContext, Int) throws(DecodingFault) -> Value
  ) throws -> Value? {
    try value(type, key) { (level, name) throws(DecodingFault) in
      let node = try level.node(of: name)
      guard node >= 0, try !level.context.isNil(at: node) else { return nil }
      return try read(level.context, node)
    }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try present(key, type) { (context, node) throws(DecodingFault) in try context.bool(at: node) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key, type) { (context, node) throws(DecodingFault) in try context.string(at: node) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try present(key, type) { (context, node) throws(DecodingFault) in try context.double(at: node) }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try present(key, type) { (context, node) throws(DecodingFault) in try context.float(at: node) }
  }

  private func integerIfPresent<Integer: FixedWidthInteger>(_ type: Integer.Type, _ key: Key) throws -> Integer? {
    try present(key, type) { (context, node) throws(DecodingFault) in try context.integer(at: node, as: type) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try integerIfPresent(type, key) }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try level.with { level in
      let node: Int
      do throws(DecodingFault) {
        node = try level.node(of: key.stringValue)
        guard node >= 0, try !level.context.isNil(at: node) else { return nil }
      } catch {
        throw level.error(error, decoding: type, at: key)
      }
      return try decode(type, at: node, key, level)
    }
  }
}

/// Containers within, which live as long as somebody holds them and so have levels of their own.
extension KeyedValueContainer {
  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(of: key, KeyedDecodingContainer<NestedKey>.self).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(of: key, (any UnkeyedDecodingContainer).self).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try superDecoder(at: PlistCodingKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(at: key) }

  private func decoder(of key: Key, _ type: Any.Type) throws -> ValueDecoder {
    try value(type, key) { (level, name) throws(DecodingFault) in
      ValueDecoder(DecodingLevel(level, node: try level.value(of: name), key: key, position: 0))
    }
  }

  /// A superclass that nothing was encoded for gets a decoder of nil.
  private func superDecoder(at key: any CodingKey) throws -> any Decoder {
    let level = level.object
    do throws(DecodingFault) {
      return ValueDecoder(DecodingLevel(level, node: try level.node(of: key.stringValue), key: key, position: 0))
    } catch {
      throw level.error(error, decoding: (any Decoder).self, at: key)
    }
  }
}
