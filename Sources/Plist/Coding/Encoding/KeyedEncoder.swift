#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Adds values to one dictionary on the ``EncodingTape`` until the value that requested the container has been encoded.
struct KeyedEncoder<Key: CodingKey>: StateContainer {
  let state: EncoderState
  /// The container's index on the tape, or −1 if it could not be opened and therefore accepts no values.
  let container: Int32
  let frame: Int32
  let serial: UInt64

  init(state: EncoderState, container: Int32, frame: Int32, serial: UInt64) {
    self.state = state
    self.container = container
    self.frame = frame
    self.serial = container >= 0 ? serial : 0
  }

  var codingPath: [any CodingKey] { state.codingPath(ofContainer: container) }

  @inline(__always)
  private func put(_ scalar: TapeScalar, _ key: Key) throws {
    guard state.isOpen(frame, serial), !state.convertsByPath else { return try putUnusual(scalar, key) }
    state.tape.put(scalar, forKey: key.stringValue, in: container)
  }

  @inline(never)
  private func putUnusual(_ scalar: TapeScalar, _ key: Key) throws {
    guard state.isOpen(frame, serial) else { throw error(.closed, state.tape.callersValue(of: scalar), key) }
    let names = state.names(of: key, in: container)
    state.tape.link(scalar, names.key, names.original, in: container)
  }

  private func put(wide value: some BinaryInteger, _ type: TapeScalar.IntegerType, _ key: Key) throws {
    guard let scalar = TapeScalar(wide: value, type) else { throw error(.integerRange, value, key) }
    try putUnusual(scalar, key)
  }

  private func error(_ fault: EncodingFault, _ value: Any, _ key: Key) -> EncodingError {
    state.error(fault, value, key, in: container)
  }

  func encodeNil(forKey key: Key) throws {
    if !state.omitsNil { try put(.null, key) }
  }

  func encode(_ value: Bool, forKey key: Key) throws { try put(TapeScalar(value), key) }
  func encode(_ value: Double, forKey key: Key) throws { try put(TapeScalar(value), key) }
  func encode(_ value: Float, forKey key: Key) throws { try putUnusual(TapeScalar(value), key) }
  func encode(_ value: Int, forKey key: Key) throws { try put(TapeScalar(value), key) }
  func encode(_ value: Int8, forKey key: Key) throws { try putUnusual(TapeScalar(signed: value, .int8), key) }
  func encode(_ value: Int16, forKey key: Key) throws { try putUnusual(TapeScalar(signed: value, .int16), key) }
  func encode(_ value: Int32, forKey key: Key) throws { try putUnusual(TapeScalar(signed: value, .int32), key) }
  func encode(_ value: Int64, forKey key: Key) throws { try putUnusual(TapeScalar(signed: value, .int64), key) }
  func encode(_ value: UInt, forKey key: Key) throws { try putUnusual(TapeScalar(unsigned: value, .uint), key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try putUnusual(TapeScalar(unsigned: value, .uint8), key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try putUnusual(TapeScalar(unsigned: value, .uint16), key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try putUnusual(TapeScalar(unsigned: value, .uint32), key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try putUnusual(TapeScalar(unsigned: value, .uint64), key) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128, forKey key: Key) throws { try put(wide: value, .int128, key) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128, forKey key: Key) throws { try put(wide: value, .uint128, key) }

  func encode(_ value: String, forKey key: Key) throws {
    guard state.isOpen(frame, serial) else { throw error(.closed, value, key) }
    try put(state.tape.scalar(value), key)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    guard state.isOpen(frame, serial) else { throw error(.closed, value, key) }
    try state.encode(value, forKey: key, in: container)
  }

  func nestedContainer<NestedKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    state.keyedContainer(keyType, nested(.dictionary, key), frame: frame, serial: serial)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedEncoder(state: state, container: nested(.array, key), frame: frame, serial: serial)
  }

  private func nested(_ kind: TapeEntry.Kind, _ key: Key) -> Int32 {
    guard state.isOpen(frame, serial) else {
      state.postpone(.closed, at: codingPath + [key])
      return -1
    }
    return state.openContainer(kind, state.entry(for: key, in: container, keepsValue: true))
  }

  func superEncoder() -> any Encoder { encoder(for: PlistCodingKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

  private func encoder(for key: some CodingKey) -> ValueEncoder {
    guard state.isOpen(frame, serial) else {
      state.postpone(.closed, at: codingPath + [key])
      return ValueEncoder(state: state, entry: -1, frame: frame, serial: 0)
    }
    let entry = state.entry(for: key, in: container, keepsValue: false)
    return ValueEncoder(state: state, entry: entry, frame: frame, serial: serial)
  }
}
