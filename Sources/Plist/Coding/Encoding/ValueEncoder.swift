#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The encoder that a value's `encode(to:)` receives, and its single-value container; valid until the value is encoded.
struct ValueEncoder: Encoder {
  let state: EncoderState
  /// The value's entry on the tape, or −1 if it has none.
  let entry: Int32
  let frame: Int32
  let serial: UInt64

  var codingPath: [any CodingKey] { entry >= 0 ? state.codingPath(of: entry) : [] }

  var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    state.keyedContainer(type, open(.dictionary), frame: frame, serial: serial)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedEncoder(state: state, container: open(.array), frame: frame, serial: serial)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private func open(_ kind: TapeEntry.Kind) -> Int32 {
    guard state.isOpen(frame, serial), entry >= 0 else {
      state.postpone(.closed, at: codingPath)
      return -1
    }
    return state.openContainer(kind, entry)
  }
}

extension ValueEncoder: NullEncoder {
  func encodeNull() throws { try put(.explicitNull) }
}

extension ValueEncoder: SingleValueEncodingContainer, KeylessEncoder {
  func put(_ scalar: TapeScalar) throws {
    try check { state.tape.callersValue(of: scalar) }
    state.tape.fill(entry, with: scalar)
  }

  private func check(_ value: () -> Any) throws {
    guard state.isOpen(frame, serial), entry >= 0 else { throw error(.closed, value()) }
    guard state.tape.entries[Int(entry)].kind == .nothing else { throw error(.occupied, value()) }
  }

  func error(_ fault: EncodingFault, _ value: Any) -> EncodingError {
    if entry < 0, let postponed = state.postponed { return postponed }
    return fault.error(for: value, at: codingPath, format: state.format)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { try put(wide: value, .int128) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { try put(wide: value, .uint128) }

  func encode(_ value: String) throws {
    try check { value }
    let scalar = state.tape.scalar(value)
    state.tape.fill(entry, with: scalar)
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try check { value }
    try state.encode(value, at: entry)
  }
}

/// Encoding of scalars without keys, which `UnkeyedEncodingContainer` and `SingleValueEncodingContainer` share.
protocol KeylessEncoder {
  func put(_ scalar: TapeScalar) throws
  func error(_ fault: EncodingFault, _ value: Any) -> EncodingError
}

extension KeylessEncoder {
  func put(wide value: some BinaryInteger, _ type: TapeScalar.IntegerType) throws {
    guard let scalar = TapeScalar(wide: value, type) else { throw error(.integerRange, value) }
    try put(scalar)
  }

  func encodeNil() throws { try put(.null) }
  func encode(_ value: Bool) throws { try put(TapeScalar(value)) }
  func encode(_ value: Double) throws { try put(TapeScalar(value)) }
  func encode(_ value: Float) throws { try put(TapeScalar(value)) }
  func encode(_ value: Int) throws { try put(TapeScalar(value)) }
  func encode(_ value: Int8) throws { try put(TapeScalar(signed: value, .int8)) }
  func encode(_ value: Int16) throws { try put(TapeScalar(signed: value, .int16)) }
  func encode(_ value: Int32) throws { try put(TapeScalar(signed: value, .int32)) }
  func encode(_ value: Int64) throws { try put(TapeScalar(signed: value, .int64)) }
  func encode(_ value: UInt) throws { try put(TapeScalar(unsigned: value, .uint)) }
  func encode(_ value: UInt8) throws { try put(TapeScalar(unsigned: value, .uint8)) }
  func encode(_ value: UInt16) throws { try put(TapeScalar(unsigned: value, .uint16)) }
  func encode(_ value: UInt32) throws { try put(TapeScalar(unsigned: value, .uint32)) }
  func encode(_ value: UInt64) throws { try put(TapeScalar(unsigned: value, .uint64)) }
}
