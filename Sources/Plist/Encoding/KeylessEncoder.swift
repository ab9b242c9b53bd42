/// A container for scalars without a key: the container of an array, or the container of a single value.
///
/// The protocol has the methods that `UnkeyedEncodingContainer` and `SingleValueEncodingContainer` have in common.
protocol KeylessEncoder {
  func put(_ scalar: TapeScalar) throws
  func error(_ fault: EncodingFault, _ value: Any) -> EncodingError
}

extension KeylessEncoder {
  func put(wide value: some BinaryInteger, _ type: TapeScalar.IntegerType) throws {
    guard let scalar = TapeScalar(wide: value, type) else { throw error(.integerRange, value) }
    try put(scalar)
  }

  func encodeNil() throws { try put(TapeScalar(.null, 0)) }
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
