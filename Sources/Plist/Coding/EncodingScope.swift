/// The encoder that a value is given, and the container of a value that is all there is in its place.
struct EncodingScope: Encoder {
  let state: EncodingState
  let place: EncodingPlace

  var codingPath: [any CodingKey] { state.core.codingPath(of: place) }

  var userInfo: [CodingUserInfoKey: Any] { state.core.userInfo }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let place = state.core.beginDictionary(type, at: place)
    return state.container(keyedBy: type, at: place)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    EncodingUnkeyedContainer(state: state, place: state.core.beginArray(at: place))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension EncodingScope: SingleValueEncodingContainer {
  private func put(_ value: EncodedScalar) throws {
    do { try state.core.encodeSingle(value, at: place) } catch {
      throw state.core.error(error, value.payload, .same, at: place)
    }
  }

  func encodeNil() throws { try put(.null) }
  func encode(_ value: Bool) throws { try put(.boolean(value)) }
  func encode(_ value: String) throws { try put(.string(value)) }
  func encode(_ value: Double) throws { try put(.real(value)) }
  func encode(_ value: Float) throws { try put(.float(value)) }
  func encode(_ value: Int) throws { try put(EncodedScalar(value)) }
  func encode(_ value: Int8) throws { try put(EncodedScalar(value)) }
  func encode(_ value: Int16) throws { try put(EncodedScalar(value)) }
  func encode(_ value: Int32) throws { try put(EncodedScalar(value)) }
  func encode(_ value: Int64) throws { try put(EncodedScalar(value)) }
  func encode(_ value: UInt) throws { try put(EncodedScalar(value)) }
  func encode(_ value: UInt8) throws { try put(EncodedScalar(value)) }
  func encode(_ value: UInt16) throws { try put(EncodedScalar(value)) }
  func encode(_ value: UInt32) throws { try put(EncodedScalar(value)) }
  func encode(_ value: UInt64) throws { try put(EncodedScalar(value)) }

  func encode(_ value: Int128) throws {
    try put(EncodedScalar(wide: value) { state.core.error($0, value, .same, at: place) })
  }

  func encode(_ value: UInt128) throws {
    try put(EncodedScalar(wide: value) { state.core.error($0, value, .same, at: place) })
  }

  func encode<Value: Encodable>(_ value: Value) throws { try state.encodeSingle(value, at: place) }
}
