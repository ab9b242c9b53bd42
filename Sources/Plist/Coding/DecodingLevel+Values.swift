/// Values and containers of types that are not known here.
extension DecodingLevel {
  /// The element at `position` of the array; in XML and trees its node is `next`.
  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, elementAt position: Int, next: Int) throws -> Value {
    let node: Int
    do throws(DecodingFault) { node = try element(position, next: next) } catch {
      throw self.error(error, decoding: type, at: PlistCodingKey.index(position))
    }
    let known = knownType(type)
    if known != .none {
      do throws(DecodingFault) { return try context.known(known, at: node, as: type) } catch {
        guard case .undecided = error else {
          throw self.error(error, decoding: type, at: PlistCodingKey.index(position))
        }
      }
    }
    return try decode(at: node, position: position) { try $0.decode(own: type) }
  }

  /// How a type is decoded; where it is one like the last that needed a decoder, that is known at once.
  @inline(__always)
  func knownType<Value>(_ type: Value.Type) -> KnownType {
    if fields.value.unknownType == ObjectIdentifier(type) { return .none }
    let known = KnownType(type)
    if known == .none { fields.value.unknownType = ObjectIdentifier(type) }
    return known
  }

  /// The container of the dictionary, which is the one that was handed out before, if nobody has it any more.
  @inline(__always)
  func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if fields.value.isInUse, fields.value.lent.keys == ObjectIdentifier(type) {
      return fields.value.lent.container(as: KeyedDecodingContainer<Key>.self)
    }
    return newContainer(keyedBy: type)
  }

  @inline(never)
  private func newContainer<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    // One that is in use is that of a class of which this is the superclass: it is that one that is kept. What is used
    // only once is not worth it.
    if fields.value.isInUse, fields.value.isUsedAgain, !fields.value.lent.isUsed {
      let container = KeyedDecodingContainer(KeyedValueContainer<Key>(lentBy: self))
      if let lent = LentContainer(container, keys: ObjectIdentifier(type), of: self) {
        fields.value.lent = lent
        return container
      }
    }
    return KeyedDecodingContainer(KeyedValueContainer<Key>(self))
  }
}

/// The values of a dictionary, by key.
///
/// Not inlined: their callers are generic over keys, and this is not.
extension DecodingLevel {
  @inline(never)
  func bool(of name: String) throws(DecodingFault) -> Bool {
    let position = try position(of: name)
    if let value = head(at: position).bool { return value }
    return try context.anyBool(at: node(at: position))
  }

  @inline(never)
  func string(of name: String) throws(DecodingFault) -> String {
    let position = try position(of: name)
    if let text = context.plainText(head(at: position)) {
      return try context.string(text) { () throws(DecodingFault) in try node(at: position) }
    }
    return try context.string(at: node(at: position))
  }

  @inline(never)
  func double(of name: String) throws(DecodingFault) -> Double {
    let position = try position(of: name)
    if let bits = context.bits(head(at: position), marker: 0x23) { return Double(bitPattern: bits) }
    return try context.double(at: node(at: position))
  }

  @inline(never)
  func float(of name: String) throws(DecodingFault) -> Float { try context.float(at: value(of: name)) }

  @inline(never)
  func integer<Integer: FixedWidthInteger>(
    of name: String, as type: Integer.Type
  ) throws(DecodingFault) -> Integer {
    let position = try position(of: name)
    if let number = context.integer(head(at: position)), let value = Integer(exactly: number) { return value }
    return try context.integer(at: node(at: position), as: type)
  }
}
