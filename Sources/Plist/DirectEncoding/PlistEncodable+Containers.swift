extension Optional: PlistEncodable where Wrapped: PlistEncodable {
  /// Encodes the wrapped value, or nil; see ``PlistEncoder/nilEncodingStrategy-swift.property``.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    if let self { try self.encode(to: &encoder) } else { try encoder.encodeNil() }
  }
}

extension Array: PlistEncodable where Element: PlistEncodable {
  /// Encodes an array.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    // Elements of these types are encoded without a call through the protocol, which takes longer than the encoding of
    // a short string.
    if Element.self == String.self { return try encoder.encodeElements(sameType(self, as: [String].self)) }
    if Element.self == Int.self { return try encoder.encodeElements(sameType(self, as: [Int].self)) }
    if Element.self == Double.self { return try encoder.encodeElements(sameType(self, as: [Double].self)) }
    try encoder.encodeElements(self)
  }
}

extension PlistValueEncoder {
  @inline(__always)
  fileprivate mutating func encodeElements<Element: PlistEncodable>(_ elements: [Element]) throws {
    try encodeArray { array in
      let span = elements.span
      for index in span.indices {
        _ = array.beginElement()
        try span.withElement(at: index) { element in
          do { try element.encode(to: &array) } catch { throw array.failed(error) }
        }
        try array.endValue()
      }
    }
  }
}

extension Set: PlistEncodable where Element: PlistEncodable {
  /// Encodes an array of the elements in the order of the set, which differs in each process.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeArray { array in for element in self { try array.encode(element) } }
  }
}

extension Dictionary: PlistEncodable where Key == String, Value: PlistEncodable {
  /// Encodes a dictionary, whose keys the key strategy does not convert.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeDictionary { dictionary in
      for (key, value) in self { try dictionary.encode(value, forNewKey: key) }
    }
  }
}
