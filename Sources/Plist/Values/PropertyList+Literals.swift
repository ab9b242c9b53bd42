extension PropertyList: ExpressibleByStringInterpolation {
  /// Creates a string from a string literal.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension PropertyList: ExpressibleByIntegerLiteral {
  /// Creates an integer from an integer literal.
  ///
  /// - Precondition: The value of the literal is in `Int64.min ... UInt64.max`.
  public init(integerLiteral value: Int128) {
    self = .integer(PropertyListInteger(value))
  }
}

extension PropertyList: ExpressibleByFloatLiteral {
  /// Creates a real number from a floating-point literal.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension PropertyList: ExpressibleByBooleanLiteral {
  /// Creates a Boolean from the literal `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

extension PropertyList: ExpressibleByArrayLiteral {
  /// Creates an array from an array literal.
  public init(arrayLiteral elements: PropertyList...) {
    self = .array(elements)
  }
}

extension PropertyList: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary from the pairs of a dictionary literal.
  ///
  /// If a key occurs twice in the literal, the last value of the key is used.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self = .dictionary(
      PropertyListDictionary(keys: elements.map(\.0), values: elements.map(\.1), duplicates: .lastWins))
  }
}
