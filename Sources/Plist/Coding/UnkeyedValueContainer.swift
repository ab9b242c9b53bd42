/// The container of an array.
///
/// Three words, so that it needs no memory of its own as an existential.
struct UnkeyedValueContainer: UnkeyedDecodingContainer {
  private let level: DecodingLevel
  /// In XML and trees, the node of the next element.
  private var next: Int
  private(set) var currentIndex = 0

  /// - Precondition: The level has begun an array.
  init(_ level: DecodingLevel) {
    self.level = level
    next = level.start
  }

  var codingPath: [any CodingKey] { level.codingPath }

  var count: Int? { level.count }

  var isAtEnd: Bool { currentIndex >= level.count }

  @inline(__always)
  private mutating func advance() {
    if level.context.backing != .binary { next = level.context.next(after: next) }
    currentIndex += 1
  }

  /// The next element as `read` reads it; where that fails the container stays where it is.
  @inline(__always)
  private mutating func element<Value>(
    _ type: Value.Type, _ read: (Int) throws(DecodingFault) -> Value
  ) throws -> Value {
    let value: Value
    do throws(DecodingFault) { value = try read(try level.element(currentIndex, next: next)) } catch {
      throw level.error(error, decoding: type, at: PlistCodingKey.index(currentIndex))
    }
    advance()
    return value
  }

  mutating func decodeNil() throws -> Bool {
    let isNil: Bool
    do throws(DecodingFault) {
      isNil = try level.context.isNil(at: try level.element(currentIndex, next: next))
    } catch {
      throw level.error(error, decoding: Never.self, at: PlistCodingKey.index(currentIndex))
    }
    if isNil { advance() }
    return isNil
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    let context = level.context
    return try element(type) { (node) throws(DecodingFault) in try context.bool(at: node) }
  }

  mutating func decode(_ type: String.Type) throws -> String {
    let context = level.context
    return try element(type) { (node) throws(DecodingFault) in try context.string(at: node) }
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    let context = level.context
    return try element(type) { (node) throws(DecodingFault) in try context.double(at: node) }
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    let context = level.context
    return try element(type) { (node) throws(DecodingFault) in try context.float(at: node) }
  }

  private mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    let context = level.context
    return try element(type) { (node) throws(DecodingFault) in try context.integer(at: node, as: type) }
  }

  mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try level.decode(type, elementAt: currentIndex, next: next)
    advance()
    return value
  }
}

/// Elements that may be missing at the end, or nil.
extension UnkeyedValueContainer {
  /// The next element as `decode` decodes it, nil where there is none or it is nil.
  @inline(__always)
  private mutating func present<Value>(_ decode: (inout Self) throws -> Value) throws -> Value? {
    if isAtEnd { return nil }
    return try decodeNil() ? nil : decode(&self)
  }

  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try present { try $0.decode(type) } }
  mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try present { try $0.decode(type) } }

  mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    try present { try $0.decode(type) }
  }
}

/// Containers within, which live as long as somebody holds them and so have levels of their own.
extension UnkeyedValueContainer {
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
      let node = try level.element(currentIndex, next: next)
      return ValueDecoder(DecodingLevel(level, node: node, key: nil, position: currentIndex))
    } catch {
      throw level.error(error, decoding: type, at: PlistCodingKey.index(currentIndex))
    }
  }
}
