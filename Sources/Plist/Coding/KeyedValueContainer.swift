/// The container of a dictionary.
///
/// Whatever depends on the type of the keys is here and nothing else, since it cannot be specialized for keys that this
/// module does not know.
struct KeyedValueContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let level: DecodingLevel

  /// - Precondition: The level has begun a dictionary.
  init(_ level: DecodingLevel) { self.level = level }

  var codingPath: [any CodingKey] { level.codingPath }

  var allKeys: [Key] { level.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { level.contains(key.stringValue) }

  func decodeNil(forKey key: Key) throws -> Bool {
    do throws(DecodingFault) { return try level.context.isNil(at: level.value(of: key.stringValue)) } catch {
      throw level.error(error, decoding: Any?.self, at: key)
    }
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    do throws(DecodingFault) { return try level.bool(of: key.stringValue) } catch {
      throw level.error(error, decoding: type, at: key)
    }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    do throws(DecodingFault) { return try level.string(of: key.stringValue) } catch {
      throw level.error(error, decoding: type, at: key)
    }
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    do throws(DecodingFault) { return try level.double(of: key.stringValue) } catch {
      throw level.error(error, decoding: type, at: key)
    }
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    do throws(DecodingFault) { return try level.float(of: key.stringValue) } catch {
      throw level.error(error, decoding: type, at: key)
    }
  }

  @inline(__always)
  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ key: Key) throws -> Integer {
    do throws(DecodingFault) { return try level.integer(of: key.stringValue, as: type) } catch {
      throw level.error(error, decoding: type, at: key)
    }
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
    let node: Int
    do throws(DecodingFault) { node = try level.value(of: key.stringValue) } catch {
      throw level.error(error, decoding: type, at: key)
    }
    return try decode(type, at: node, key)
  }

  @inline(__always)
  private func decode<Value: Decodable>(_ type: Value.Type, at node: Int, _ key: Key) throws -> Value {
    let known = KnownType(type)
    if known != .none {
      do throws(DecodingFault) { return try level.context.known(known, at: node, as: type) } catch {
        guard case .undecided = error else { throw level.error(error, decoding: type, at: key) }
      }
    }
    return try level.decode(at: node, key: key, position: 0) { try type.init(from: $0) }
  }
}

/// Values that may be missing or nil.
extension KeyedValueContainer {
  /// The value of `key` as `read` reads it, nil where it is missing or nil.
  @inline(__always)
  private func present<Value>(
    _ key: Key, _ type: Value.Type, _ read: (Int) throws(DecodingFault) -> Value
  ) throws -> Value? {
    do throws(DecodingFault) {
      let node = try level.node(of: key.stringValue)
      guard node >= 0, try !level.context.isNil(at: node) else { return nil }
      return try read(node)
    } catch {
      throw level.error(error, decoding: type, at: key)
    }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try present(key, type) { (node) throws(DecodingFault) in try level.context.bool(at: node) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key, type) { (node) throws(DecodingFault) in try level.context.string(at: node) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try present(key, type) { (node) throws(DecodingFault) in try level.context.double(at: node) }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try present(key, type) { (node) throws(DecodingFault) in try level.context.float(at: node) }
  }

  private func integerIfPresent<Integer: FixedWidthInteger>(_ type: Integer.Type, _ key: Key) throws -> Integer? {
    try present(key, type) { (node) throws(DecodingFault) in try level.context.integer(at: node, as: type) }
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
    let node: Int
    do throws(DecodingFault) {
      node = try level.node(of: key.stringValue)
      guard node >= 0, try !level.context.isNil(at: node) else { return nil }
    } catch {
      throw level.error(error, decoding: type, at: key)
    }
    return try decode(type, at: node, key)
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
    do throws(DecodingFault) {
      return ValueDecoder(DecodingLevel(level, node: try level.value(of: key.stringValue), key: key, position: 0))
    } catch {
      throw level.error(error, decoding: type, at: key)
    }
  }

  /// A superclass that nothing was encoded for gets a decoder of nil.
  private func superDecoder(at key: any CodingKey) throws -> any Decoder {
    do throws(DecodingFault) {
      return ValueDecoder(DecodingLevel(level, node: try level.node(of: key.stringValue), key: key, position: 0))
    } catch {
      throw level.error(error, decoding: (any Decoder).self, at: key)
    }
  }
}
