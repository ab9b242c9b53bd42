/// An array whose elements are decoded here.
///
/// The standard library's own way asks a container for each element and appends it, for which the runtime looks up the
/// type of the array each time, and moves all elements whenever the array grows.
protocol DecodedArray {
  /// Decodes the array that is the value of `level`.
  init(elementsOf level: DecodingLevel) throws
}

extension Array: DecodedArray where Element: Decodable {
  init(elementsOf level: DecodingLevel) throws {
    do throws(DecodingFault) { try level.beginArray() } catch { throw level.error(error, decoding: [Any].self) }
    let context = level.context
    var next = level.start
    try self.init(count: level.count) { position in
      let element = try level.decode(Element.self, elementAt: position, next: next)
      if context.backing != .binary { next = context.next(after: next) }
      return element
    }
  }
}

extension ValueDecoder {
  /// The value as its type decodes it.
  @inline(__always)
  func decode<Value: Decodable>(own type: Value.Type) throws -> Value {
    if level.context.isArray(level.node), let array = level.context.arrayType(type) {
      return try decode(array, as: type)
    }
    return try type.init(from: self)
  }

  @inline(never)
  private func decode<List: DecodedArray, Value>(_ list: List.Type, as type: Value.Type) throws -> Value {
    reference(try List(elementsOf: level), as: type)
  }
}

extension DecodingContext {
  /// Whether there is an array at `node`, in a document.
  @inline(__always)
  func isArray(_ node: Int) -> Bool {
    guard node >= 0 else { return false }
    switch backing {
    case .xml: return entries[node].kind == .beginArray
    case .binary: return head(of: node).marker & 0xF0 == 0xA0
    case .tree: return false
    }
  }

  /// The type if it is that of arrays of what can be decoded, which the runtime is asked once.
  @inline(never)
  func arrayType<Value>(_ type: Value.Type) -> (any DecodedArray.Type)? {
    let identifier = ObjectIdentifier(type)
    if fields.value.lastArrayType.0 == identifier { return fields.value.lastArrayType.1 }
    let found = fields.value.arrayTypes[identifier] ?? (type as? any DecodedArray.Type)
    fields.value.arrayTypes[identifier] = .some(found)
    fields.value.lastArrayType = (identifier, found)
    return found
  }
}
