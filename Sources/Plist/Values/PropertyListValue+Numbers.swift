extension PropertyListValue where Self: FixedWidthInteger {
  /// Takes an integer, or a real that is whole, when this type can hold it.
  ///
  /// Numbers that no property list can hold are taken from their decimal digits.
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

  /// The integer; for one outside `Int64.min ... UInt64.max`, which no property list can hold, a string of its digits.
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
  /// Takes an integer, or a real that is whole and in range.
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
  /// Takes a real, or an integer that a `Double` holds exactly.
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
  /// Takes a real, rounded to the nearest `Float` unless it is too large for one, or an integer that it holds exactly.
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
  /// Takes a boolean, or the integers 0 and 1, as which older tools and user defaults write them.
  public init?(propertyList: PropertyList) {
    switch propertyList {
    case .boolean(let value): self = value
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }

  /// The boolean.
  public var propertyList: PropertyList {
    .boolean(self)
  }
}
