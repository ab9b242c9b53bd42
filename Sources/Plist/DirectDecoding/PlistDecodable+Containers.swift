extension Optional: PlistDecodable where Wrapped: PlistDecodable {
  /// Decodes nil from a value that represents nil, and the wrapped type from any other value.
  @inlinable
  public init(from decoder: inout PlistValueDecoder) throws {
    self = try decoder.decode(Wrapped?.self)
  }
}

extension Array: PlistDecodable where Element: PlistDecodable {
  /// Decodes an array.
  @inlinable
  public init(from decoder: inout PlistValueDecoder) throws {
    if let elements = try decoder.builtIn(Self.self) {
      self = elements
      return
    }
    var elements = Self()
    elements.reserveCapacity(decoder.count ?? 0)
    try decoder.decodeArray { _, element in elements.append(try Element(from: &element)) }
    self = elements
  }
}

extension Set: PlistDecodable where Element: PlistDecodable {
  /// Decodes a set from an array; equal elements become one element.
  @inlinable
  public init(from decoder: inout PlistValueDecoder) throws {
    var elements = Self()
    try decoder.decodeArray { _, element in elements.insert(try Element(from: &element)) }
    self = elements
  }
}

extension Dictionary: PlistDecodable where Key == String, Value: PlistDecodable {
  /// Decodes a dictionary with string keys.
  @inlinable
  public init(from decoder: inout PlistValueDecoder) throws {
    var pairs = Self(minimumCapacity: decoder.count ?? 0)
    try decoder.decodeDictionary { key, value in pairs[key] = try Value(from: &value) }
    self = pairs
  }
}
