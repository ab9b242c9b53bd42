/// A keyed container, reduced to the code that depends on the coding-key type.
///
/// The rest is in ``KeyedValues``, because generic code is not specialized for other modules' coding keys.
struct KeyedDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let values: KeyedValues

  init(_ values: KeyedValues) { self.values = values }

  var codingPath: [any CodingKey] { values.frame.codingPath }

  var allKeys: [Key] { values.layout.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { values.layout.contains(key.stringValue) }

  @inline(__always)
  private func value<Value>(
    _ type: Value.Type, _ key: Key, _ read: (DecoderState, DecodingValue) throws(DecodingFault) -> Value
  ) throws -> Value {
    do throws(DecodingFault) { return try read(values.state, values.requiredValue(of: key.stringValue)) } catch {
      throw values.error(error, decoding: type, at: key)
    }
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    do throws(DecodingFault) { return values.state.isNil(try values.requiredValue(of: key.stringValue)) } catch {
      if case .malformed = error { return false }
      throw values.error(error, decoding: Any?.self, at: key)
    }
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(type, key) { (state, value) throws(DecodingFault) in try state.bool(value) }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(type, key) { (state, value) throws(DecodingFault) in try state.string(value) }
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(type, key) { (state, value) throws(DecodingFault) in try state.double(value) }
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(type, key) { (state, value) throws(DecodingFault) in try state.float(value) }
  }

  @inline(__always)  // specializing it for each integer type saves 15 % in the benchmark "binary → model"
  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ key: Key) throws -> Integer {
    try value(type, key) { (state, value) throws(DecodingFault) in try state.integer(value, as: type) }
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(type, key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let node: Int
    do throws(DecodingFault) { node = try values.requiredNode(of: key.stringValue) } catch {
      throw values.error(error, decoding: type, at: key)
    }
    return try values.frame.decode(type, at: node) { .key(key) }
  }
}

extension KeyedDecoder {
  private func present<Value>(
    _ type: Value.Type, _ key: Key, _ read: (DecoderState, DecodingValue) throws(DecodingFault) -> Value
  ) throws -> Value? {
    do throws(DecodingFault) {
      guard let value = try values.present(key.stringValue) else { return nil }
      return try read(values.state, value)
    } catch {
      throw values.error(error, decoding: type, at: key)
    }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try present(type, key) { (state, value) throws(DecodingFault) in try state.bool(value) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(type, key) { (state, value) throws(DecodingFault) in try state.string(value) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try present(type, key) { (state, value) throws(DecodingFault) in try state.double(value) }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try present(type, key) { (state, value) throws(DecodingFault) in try state.float(value) }
  }

  private func integerIfPresent<Integer: FixedWidthInteger>(_ type: Integer.Type, _ key: Key) throws -> Integer? {
    try present(type, key) { (state, value) throws(DecodingFault) in try state.integer(value, as: type) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(type, key) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(type, key) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try integerIfPresent(type, key) }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    let node: Int
    do throws(DecodingFault) {
      guard let present = try values.present(key.stringValue) else { return nil }
      node = present.node
    } catch {
      throw values.error(error, decoding: type, at: key)
    }
    return try values.frame.decode(type, at: node) { .key(key) }
  }
}

extension KeyedDecoder {
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
      return ValueDecoder(DecoderFrame(in: values.frame, node: try values.requiredNode(of: key.stringValue), .key(key)))
    } catch {
      throw values.error(error, decoding: type, at: key)
    }
  }

  /// Returns a decoder for a superclass, whose value is nil if the document has none.
  private func superDecoder(at key: any CodingKey) throws -> any Decoder {
    do throws(DecodingFault) {
      return ValueDecoder(DecoderFrame(in: values.frame, node: try values.node(of: key.stringValue), .key(key)))
    } catch {
      throw values.error(error, decoding: (any Decoder).self, at: key)
    }
  }
}
