struct UnkeyedDecoder: UnkeyedDecodingContainer {
  private let frame: DecoderFrame
  private let elementCount: Int
  /// In a binary document, the offset of the references to the elements.
  private let start: Int
  /// In indexed text or a tree, the node of the next element.
  private var next: Int
  private(set) var currentIndex = 0

  init(_ frame: DecoderFrame) throws {
    self.frame = frame
    do throws(DecodingFault) { (elementCount, start) = try frame.array() } catch {
      throw frame.error(error, decoding: [Any].self)
    }
    next = start
  }

  var codingPath: [any CodingKey] { frame.codingPath }

  var count: Int? { elementCount }

  var isAtEnd: Bool { currentIndex >= elementCount }

  private mutating func advance() {
    if frame.state.document.kind != .binary { next = frame.state.document.next(after: next) }
    currentIndex += 1
  }

  private func node() throws(DecodingFault) -> Int {
    guard currentIndex < elementCount else { throw .atEnd }
    let document = frame.state.document
    return document.kind == .binary ? try document.reference(currentIndex, from: start) : next
  }

  private func value() throws(DecodingFault) -> DecodingValue {
    guard currentIndex < elementCount else { throw .atEnd }
    let document = frame.state.document
    return document.kind == .binary
      ? try document.value(inSlot: currentIndex, from: start) : try document.value(at: next)
  }

  /// Returns the next element, decoded by `read`, or throws without advancing.
  private mutating func element<Value>(
    _ type: Value.Type, _ read: (DecoderState, DecodingValue) throws(DecodingFault) -> Value
  ) throws -> Value {
    let value: Value
    do throws(DecodingFault) { value = try read(frame.state, try self.value()) } catch {
      throw frame.error(error, decoding: type, at: .index(currentIndex))
    }
    advance()
    return value
  }

  mutating func decodeNil() throws -> Bool {
    let isNil: Bool
    do throws(DecodingFault) { isNil = frame.state.isNil(try value()) } catch {
      if case .malformed = error { return false }
      throw frame.error(error, decoding: Never.self, at: .index(currentIndex))
    }
    if isNil { advance() }
    return isNil
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try element(type) { (state, value) throws(DecodingFault) in try state.bool(value) }
  }

  mutating func decode(_ type: String.Type) throws -> String {
    try element(type) { (state, value) throws(DecodingFault) in try state.string(value) }
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    try element(type) { (state, value) throws(DecodingFault) in try state.double(value) }
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    try element(type) { (state, value) throws(DecodingFault) in try state.float(value) }
  }

  private mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    try element(type) { (state, value) throws(DecodingFault) in try state.integer(value, as: type) }
  }

  mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let node: Int
    do throws(DecodingFault) { node = try self.node() } catch {
      throw frame.error(error, decoding: type, at: .index(currentIndex))
    }
    let value = try frame.decode(type, at: node) { .index(currentIndex) }
    advance()
    return value
  }
}

extension UnkeyedDecoder {
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try decoder(KeyedDecodingContainer<NestedKey>.self).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try decoder((any UnkeyedDecodingContainer).self).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try decoder((any Decoder).self)
    advance()
    return decoder
  }

  private func decoder(_ type: Any.Type) throws -> ValueDecoder {
    do throws(DecodingFault) {
      return ValueDecoder(DecoderFrame(in: frame, node: try node(), .index(currentIndex)))
    } catch {
      throw frame.error(error, decoding: type, at: .index(currentIndex))
    }
  }
}
