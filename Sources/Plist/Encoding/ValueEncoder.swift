#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoder that is passed to the `encode(to:)` of a value, and that is also the value's single-value container.
///
/// The serial number of the value becomes invalid when the value has been encoded.
struct ValueEncoder: Encoder {
  let state: EncoderState
  /// The index of the value's entry on the tape, or -1 if the value has no entry.
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

  func encode(_ value: Int128) throws { try put(wide: value, .int128) }
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
