/// The decoder for one value, which is also its single-value container.
///
/// It is one word in size, so passing it as `any Decoder` needs no allocation.
struct ValueDecoder: Decoder {
  let frame: DecoderFrame

  init(_ frame: DecoderFrame) { self.frame = frame }

  var codingPath: [any CodingKey] { frame.codingPath }

  var userInfo: [CodingUserInfoKey: Any] { frame.state.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    do throws(DecodingFault) {
      return KeyedDecodingContainer(KeyedDecoder<Key>(try frame.dictionary(for: ObjectIdentifier(Key.self))))
    } catch {
      throw frame.error(error, decoding: [String: Any].self)
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try UnkeyedDecoder(frame) }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { (try? frame.state.document.value(at: frame.node)).map { frame.state.isNil($0) } ?? false }

  private func value<Value>(_ read: (DecoderState, DecodingValue) throws(DecodingFault) -> Value) throws -> Value {
    do throws(DecodingFault) { return try read(frame.state, frame.state.document.value(at: frame.node)) } catch {
      throw frame.error(error, decoding: Value.self)
    }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    try value { (state, value) throws(DecodingFault) in try state.bool(value) }
  }

  func decode(_ type: String.Type) throws -> String {
    try value { (state, value) throws(DecodingFault) in try state.string(value) }
  }

  func decode(_ type: Double.Type) throws -> Double {
    try value { (state, value) throws(DecodingFault) in try state.double(value) }
  }

  func decode(_ type: Float.Type) throws -> Float {
    try value { (state, value) throws(DecodingFault) in try state.float(value) }
  }

  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    try value { (state, value) throws(DecodingFault) in try state.integer(value, as: type) }
  }

  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try frame.decode(type) }
}
