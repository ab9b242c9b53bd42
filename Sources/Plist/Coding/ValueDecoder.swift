/// The decoder of one value, which is its single-value container as well.
///
/// One word, so that it needs no memory of its own wherever it is handed to as an existential.
struct ValueDecoder: Decoder {
  let level: DecodingLevel

  init(_ level: DecodingLevel) { self.level = level }

  var codingPath: [any CodingKey] { level.codingPath }

  var userInfo: [CodingUserInfoKey: Any] { level.context.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    do throws(DecodingFault) { try level.beginDictionary(for: ObjectIdentifier(type)) } catch {
      throw level.error(error, decoding: [String: Any].self)
    }
    return level.container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    do throws(DecodingFault) { try level.beginArray() } catch {
      throw level.error(error, decoding: [Any].self)
    }
    return UnkeyedValueContainer(level)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Decodes the value itself.
  func decode<Value: Decodable>(whole type: Value.Type) throws -> Value {
    let known = level.knownType(type)
    if known != .none {
      do throws(DecodingFault) { return try level.context.known(known, at: level.node, as: type) } catch {
        guard case .undecided = error else { throw level.error(error, decoding: type) }
      }
    }
    return try decode(own: type)
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { (try? level.context.isNil(at: level.node)) ?? false }

  func decode(_ type: Bool.Type) throws -> Bool {
    do throws(DecodingFault) { return try level.context.bool(at: level.node) } catch {
      throw level.error(error, decoding: type)
    }
  }

  func decode(_ type: String.Type) throws -> String {
    do throws(DecodingFault) { return try level.context.string(at: level.node) } catch {
      throw level.error(error, decoding: type)
    }
  }

  func decode(_ type: Double.Type) throws -> Double {
    do throws(DecodingFault) { return try level.context.double(at: level.node) } catch {
      throw level.error(error, decoding: type)
    }
  }

  func decode(_ type: Float.Type) throws -> Float {
    do throws(DecodingFault) { return try level.context.float(at: level.node) } catch {
      throw level.error(error, decoding: type)
    }
  }

  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    do throws(DecodingFault) { return try level.context.integer(at: level.node, as: type) } catch {
      throw level.error(error, decoding: type)
    }
  }

  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decode(whole: type) }
}
