extension PropertyList: ExpressibleByStringInterpolation {
  /// Creates a string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension PropertyList: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  ///
  /// - Precondition: The literal is in `Int64.min ... UInt64.max`.
  public init(integerLiteral value: Int128) {
    self = .integer(PropertyListInteger(value))
  }
}

extension PropertyList: ExpressibleByFloatLiteral {
  /// Creates a real.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension PropertyList: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

extension PropertyList: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: PropertyList...) {
    self = .array(elements)
  }
}

extension PropertyList: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary with the pairs of a literal.
  ///
  /// If a key occurs twice in the literal, the last value of the key is used.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self = .dictionary(
      PropertyListDictionary(keys: elements.map(\.0), values: elements.map(\.1), duplicates: .lastWins))
  }
}
