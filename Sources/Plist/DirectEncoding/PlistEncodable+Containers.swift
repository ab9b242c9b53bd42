extension Optional: PlistEncodable where Wrapped: PlistEncodable {
  /// Encodes the wrapped value, or nil; see ``PlistEncoder/nilEncodingStrategy-swift.property``.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    if let self { try self.encode(to: &encoder) } else { try encoder.encodeNil() }
  }
}

extension Array: PlistEncodable where Element: PlistEncodable {
  /// Encodes an array.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeArray { array in
      let elements = span
      for index in elements.indices { try elements.withElement(at: index) { try array.encode($0) } }
    }
  }
}

extension Set: PlistEncodable where Element: PlistEncodable {
  /// Encodes the elements as an array in the order of the set; the order differs between runs of a program.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeArray { array in for element in self { try array.encode(element) } }
  }
}

extension Dictionary: PlistEncodable where Key == String, Value: PlistEncodable {
  /// Encodes a dictionary; the key strategy does not convert the keys.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.encodeDictionary { dictionary in
      for (key, value) in self { try dictionary.encode(value, forNewKey: key) }
    }
  }
}
