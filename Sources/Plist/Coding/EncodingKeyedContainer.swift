/// The container of a dictionary's pairs.
struct EncodingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let state: EncodingState
  let place: EncodingPlace

  var codingPath: [any CodingKey] { state.core.codingPath(of: place) }

  /// The name of `key` in the property list.
  @inline(__always)
  private func name(_ key: Key) -> String { state.name(of: key, at: place) }

  /// What to throw for a value that could not be encoded.
  @inline(never)
  private func error(_ fault: EncodingFault, _ value: Any, _ key: Key) -> EncodingError {
    state.core.error(fault, value, .key(key), at: place)
  }

  private func put(_ value: EncodedScalar, for key: Key) throws {
    do { try state.core.encode(value, for: name(key), at: place) } catch { throw self.error(error, value.payload, key) }
  }

  @inline(__always)
  private func put(_ value: PropertyListInteger, for key: Key) throws {
    do { try state.core.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  func encodeNil(forKey key: Key) throws {
    if !state.core.omitsNil { try put(.null, for: key) }
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    do { try state.core.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  func encode(_ value: String, forKey key: Key) throws {
    do { try state.core.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  func encode(_ value: Double, forKey key: Key) throws {
    do { try state.core.encode(value, for: name(key), at: place) } catch { throw self.error(error, value, key) }
  }

  func encode(_ value: Float, forKey key: Key) throws { try put(.float(value), for: key) }
  func encode(_ value: Int, forKey key: Key) throws { try put(PropertyListInteger(Int64(value)), for: key) }
  func encode(_ value: Int8, forKey key: Key) throws { try put(PropertyListInteger(Int64(value)), for: key) }
  func encode(_ value: Int16, forKey key: Key) throws { try put(PropertyListInteger(Int64(value)), for: key) }
  func encode(_ value: Int32, forKey key: Key) throws { try put(PropertyListInteger(Int64(value)), for: key) }
  func encode(_ value: Int64, forKey key: Key) throws { try put(PropertyListInteger(Int64(value)), for: key) }
  func encode(_ value: UInt, forKey key: Key) throws { try put(PropertyListInteger(UInt64(value)), for: key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try put(PropertyListInteger(UInt64(value)), for: key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try put(PropertyListInteger(UInt64(value)), for: key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try put(PropertyListInteger(UInt64(value)), for: key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try put(PropertyListInteger(UInt64(value)), for: key) }

  func encode(_ value: Int128, forKey key: Key) throws {
    try put(EncodedScalar(wide: value) { error($0, value, key) }, for: key)
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    try put(EncodedScalar(wide: value) { error($0, value, key) }, for: key)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try state.encode(value, for: state.name(of: key, at: place), key, at: place)
  }

  func nestedContainer<NestedKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    let nested = state.core.nestContainer(.dictionary, state.name(of: key, at: place), key, at: place)
    return KeyedEncodingContainer(EncodingKeyedContainer<NestedKey>(state: state, place: nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let nested = state.core.nestContainer(.array, state.name(of: key, at: place), key, at: place)
    return EncodingUnkeyedContainer(state: state, place: nested)
  }

  func superEncoder() -> any Encoder {
    let key = PlistCodingKey.super
    let nested = state.core.nestContainer(.nothing, state.name(of: key, at: place), key, at: place)
    return EncodingScope(state: state, place: nested)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    let nested = state.core.nestContainer(.nothing, state.name(of: key, at: place), key, at: place)
    return EncodingScope(state: state, place: nested)
  }
}

extension EncodedScalar {
  /// An integer of more than 64 bits, where a property list can hold it.
  @inline(never)
  init(wide value: some BinaryInteger, orThrow error: (EncodingFault) -> EncodingError) throws {
    guard let integer = PropertyListInteger(exactly: value) else { throw error(.integerRange) }
    self = .integer(integer)
  }
}
