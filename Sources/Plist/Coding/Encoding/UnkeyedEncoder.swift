/// Adds values to one array on the ``EncodingTape`` until the value that requested the container has been encoded.
struct UnkeyedEncoder: UnkeyedEncodingContainer, KeylessEncoder {
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

  var count: Int { container >= 0 ? Int(state.tape.containers[Int(container)].count) : 0 }

  func put(_ scalar: TapeScalar) throws {
    guard state.isOpen(frame, serial) else { throw error(.closed, state.tape.callersValue(of: scalar)) }
    state.tape.link(scalar, in: container)
  }

  func error(_ fault: EncodingFault, _ value: Any) -> EncodingError {
    state.error(fault, value, PlistCodingKey.index(count), in: container)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { try put(wide: value, .int128) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { try put(wide: value, .uint128) }

  func encode(_ value: String) throws {
    guard state.isOpen(frame, serial) else { throw error(.closed, value) }
    try put(state.tape.scalar(value))
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    guard state.isOpen(frame, serial) else { throw error(.closed, value) }
    try state.encode(value, state.types.entry(for: Value.self), in: container)
  }

  func nestedContainer<NestedKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    state.keyedContainer(keyType, nested(.dictionary), frame: frame, serial: serial)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedEncoder(state: state, container: nested(.array), frame: frame, serial: serial)
  }

  private func nested(_ kind: TapeEntry.Kind) -> Int32 {
    guard state.isOpen(frame, serial) else {
      state.postpone(.closed, at: codingPath + [PlistCodingKey.index(count)])
      return -1
    }
    let entry = state.tape.link(TapeScalar(), in: container)
    return state.openContainer(kind, entry)
  }

  func superEncoder() -> any Encoder {
    guard state.isOpen(frame, serial) else {
      state.postpone(.closed, at: codingPath + [PlistCodingKey.index(count)])
      return ValueEncoder(state: state, entry: -1, frame: frame, serial: 0)
    }
    let entry = state.tape.link(TapeScalar(), in: container)
    return ValueEncoder(state: state, entry: entry, frame: frame, serial: serial)
  }
}
