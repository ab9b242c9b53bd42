extension PropertyListValue where Self: FixedWidthInteger {
  /// Creates a number from an integer or from a real without a fraction, or returns nil if this type cannot represent
  /// it.
  ///
  /// A type of more than 64 bits also accepts a string of decimal digits, for numbers outside the range of a property
  /// list's integers.
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

  /// The integer, or a string of its digits if it is outside `Int64.min ... UInt64.max`.
  public var propertyList: PropertyList {
    PropertyListInteger(exactly: self).map(PropertyList.integer) ?? .string(description)
  }
}

extension Int: PropertyListValue {}
extension Int8: PropertyListValue {}
extension Int16: PropertyListValue {}
extension Int32: PropertyListValue {}
extension Int64: PropertyListValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: PropertyListValue {}
extension UInt: PropertyListValue {}
extension UInt8: PropertyListValue {}
extension UInt16: PropertyListValue {}
extension UInt32: PropertyListValue {}
extension UInt64: PropertyListValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: PropertyListValue {}

extension PropertyListInteger: PropertyListValue {
  /// Creates an integer from an integer or from a real without a fraction, or returns nil if the real is out of range.
  public init?(propertyList: PropertyList) {
    switch propertyList {
    case .integer(let value): self = value
    case .real(let value): self.init(exactly: value)
    default: return nil
    }
  }

  /// The integer as a property list.
  public var propertyList: PropertyList {
    .integer(self)
  }
}

extension Double: PropertyListValue {
  /// Creates a number from a real, or from an integer that a `Double` can represent exactly.
  public init?(propertyList: PropertyList) {
    switch propertyList {
    case .real(let value): self = value
    case .integer(let value): self.init(exactly: value)
    default: return nil
    }
  }

  /// The number as a real.
  public var propertyList: PropertyList {
    .real(self)
  }
}

extension Float: PropertyListValue {
  /// Creates a number from a real, or from an integer that a `Float` can represent exactly.
  ///
  /// A real is rounded to the nearest `Float`; if it is out of range, the result is nil.
  public init?(propertyList: PropertyList) {
    switch propertyList {
    case .real(let value):
      self.init(value)
      guard isFinite || !value.isFinite else { return nil }
    case .integer(let value): self.init(exactly: value)
    default: return nil
    }
  }

  /// The number as a real.
  public var propertyList: PropertyList {
    .real(Double(self))
  }
}

extension Bool: PropertyListValue {
  /// Creates a Boolean from a Boolean, or from the integer 0 or 1, which older tools and user defaults write instead.
  public init?(propertyList: PropertyList) {
    switch propertyList {
    case .boolean(let value): self = value
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }

  /// The Boolean as a property list.
  public var propertyList: PropertyList {
    .boolean(self)
  }
}
