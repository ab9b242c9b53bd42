extension PropertyListValue where Self: FixedWidthInteger {
  /// Creates a number from an integer or a whole real, or returns nil if this type cannot represent the number.
  ///
  /// A type with more than 64 bits also accepts a string of decimal digits for a number that no property list can
  /// represent.
  public init?(propertyList: PropertyList) {
    switch propertyList {
    case .integer(let value): self.init(exactly: value)
    case .real(let value): self.init(exactly: value)
    case .string(let text):
      guard let value = Self(text), PropertyListInteger(exactly: value) == nil, value.description == text else {
        return nil
      }
      self = value
    default: return nil
    }
  }

  /// The integer, or a string of its digits if the integer is outside `Int64.min ... UInt64.max`.
  public var propertyList: PropertyList {
    PropertyListInteger(exactly: self).map(PropertyList.integer) ?? .string(description)
  }
}

extension Int: PropertyListValue {}
extension Int8: PropertyListValue {}
extension Int16: PropertyListValue {}
extension Int32: PropertyListValue {}
extension Int64: PropertyListValue {}
extension Int128: PropertyListValue {}
extension UInt: PropertyListValue {}
extension UInt8: PropertyListValue {}
extension UInt16: PropertyListValue {}
extension UInt32: PropertyListValue {}
extension UInt64: PropertyListValue {}
extension UInt128: PropertyListValue {}

extension PropertyListInteger: PropertyListValue {
  /// Creates a value from an integer or a whole real, or returns nil if the number is out of range.
  public init?(propertyList: PropertyList) {
    switch propertyList {
    case .integer(let value): self = value
    case .real(let value): self.init(exactly: value)
    default: return nil
    }
  }

  /// The integer.
  public var propertyList: PropertyList {
    .integer(self)
  }
}

extension Double: PropertyListValue {
  /// Creates a value from a real, or from an integer that a `Double` can represent exactly.
  public init?(propertyList: PropertyList) {
    switch propertyList {
    case .real(let value): self = value
    case .integer(let value): self.init(exactly: value)
    default: return nil
    }
  }

  /// The real.
  public var propertyList: PropertyList {
    .real(self)
  }
}

extension Float: PropertyListValue {
  /// Creates a value from a real, rounded to the nearest `Float`, or from an integer that a `Float` can represent
  /// exactly.
  ///
  /// The result is nil if the real is out of the range of `Float`.
  public init?(propertyList: PropertyList) {
    switch propertyList {
    case .real(let value):
      self.init(value)
      guard isFinite || !value.isFinite else { return nil }
    case .integer(let value): self.init(exactly: value)
    default: return nil
    }
  }

  /// The real.
  public var propertyList: PropertyList {
    .real(Double(self))
  }
}

extension Bool: PropertyListValue {
  /// Creates a value from a Boolean, or from the integers 0 and 1, which older tools and user defaults write for a
  /// Boolean.
  public init?(propertyList: PropertyList) {
    switch propertyList {
    case .boolean(let value): self = value
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }

  /// The Boolean.
  public var propertyList: PropertyList {
    .boolean(self)
  }
}
