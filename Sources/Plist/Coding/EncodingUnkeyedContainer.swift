/// The container of an array's elements.
struct EncodingUnkeyedContainer: UnkeyedEncodingContainer {
  let state: EncodingState
  let place: EncodingPlace

  var codingPath: [any CodingKey] { state.core.codingPath(of: place) }

  var count: Int { state.core.count(at: place) }

  private func put(_ value: EncodedScalar) throws {
    do { try state.core.encode(value, at: place) } catch {
      throw state.core.error(error, value.payload, .index(count), at: place)
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
    try put(EncodedScalar(wide: value) { state.core.error($0, value, .index(count), at: place) })
  }

  func encode(_ value: UInt128) throws {
    try put(EncodedScalar(wide: value) { state.core.error($0, value, .index(count), at: place) })
  }

  func encode<Value: Encodable>(_ value: Value) throws { try state.encode(value, at: place) }

  func nestedContainer<NestedKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    let nested = state.core.nestContainer(.dictionary, nil, PlistCodingKey.index(count), at: place)
    return KeyedEncodingContainer(EncodingKeyedContainer<NestedKey>(link: EncodingLink(state, nested)))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let nested = state.core.nestContainer(.array, nil, PlistCodingKey.index(count), at: place)
    return EncodingUnkeyedContainer(state: state, place: nested)
  }

  func superEncoder() -> any Encoder {
    let nested = state.core.nestContainer(.nothing, nil, PlistCodingKey.index(count), at: place)
    return EncodingScope(state: state, place: nested)
  }
}
