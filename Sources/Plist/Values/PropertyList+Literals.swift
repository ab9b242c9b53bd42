extension PropertyList: ExpressibleByStringInterpolation {
  /// Makes a string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension PropertyList: ExpressibleByIntegerLiteral {
  /// Makes an integer.
  ///
  /// - Precondition: the literal is in `Int64.min ... UInt64.max`.
  public init(integerLiteral value: Int128) {
    self = .integer(PropertyListInteger(value))
  }
}

extension PropertyList: ExpressibleByFloatLiteral {
  /// Makes a real.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension PropertyList: ExpressibleByBooleanLiteral {
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

extension PropertyList: ExpressibleByArrayLiteral {
  /// Makes an array.
  public init(arrayLiteral elements: PropertyList...) {
    self = .array(elements)
  }
}

extension PropertyList: ExpressibleByDictionaryLiteral {
  /// Makes a dictionary of the pairs as written; of a key that occurs again, the last value counts.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self = .dictionary(
      PropertyListDictionary(keys: elements.map(\.0), values: elements.map(\.1), duplicates: .lastWins))
  }
}
