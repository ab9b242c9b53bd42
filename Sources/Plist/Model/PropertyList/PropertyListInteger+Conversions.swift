extension BinaryInteger {
  /// Creates the number equal to `value`, or returns nil if this type cannot represent it.
  public init?(exactly value: PropertyListInteger) {
    if value.isNegative {
      self.init(exactly: Int64(bitPattern: value.bits))
    } else {
      self.init(exactly: value.bits)
    }
  }
}

extension FixedWidthInteger {
  /// Creates the representable number closest to `value`.
  public init(clamping value: PropertyListInteger) {
    if value.isNegative {
      self.init(clamping: Int64(bitPattern: value.bits))
    } else {
      self.init(clamping: value.bits)
    }
  }
}

extension BinaryFloatingPoint {
  /// Creates the floating-point number closest to `value`.
  public init(_ value: PropertyListInteger) {
    if value.isNegative {
      self.init(Int64(bitPattern: value.bits))
    } else {
      self.init(value.bits)
    }
  }

  /// Creates the number equal to `value`, or returns nil if this type cannot represent it.
  public init?(exactly value: PropertyListInteger) {
    if value.isNegative {
      self.init(exactly: Int64(bitPattern: value.bits))
    } else {
      self.init(exactly: value.bits)
    }
  }
}

extension PropertyListInteger: ExpressibleByIntegerLiteral {
  /// Creates a number from a literal.
  ///
  /// - Precondition: The literal is in `Int64.min ... UInt64.max`.
  public init(integerLiteral value: StaticBigInt) {
    precondition(
      value.bitWidth <= 64 || value.bitWidth == 65 && value.signum() > 0, "the literal has more than 64 bits")
    var bits: UInt64 = 0
    for index in 0..<64 / UInt.bitWidth { bits |= UInt64(value[index]) << UInt64(index * UInt.bitWidth) }
    if value.signum() < 0 { self.init(Int64(bitPattern: bits)) } else { self.init(bits) }
  }
}

extension PropertyListInteger: LosslessStringConvertible {
  /// The number in decimal.
  public var description: String {
    isNegative ? Int64(bitPattern: bits).description : bits.description
  }

  /// Parses decimal digits after an optional sign, or returns nil for any other text or a number that is out of range.
  public init?(_ description: String) {
    if let value = UInt64(description) {
      self.init(value)
    } else if let value = Int64(description) {
      self.init(value)
    } else {
      return nil
    }
  }
}

extension PropertyListInteger: CustomReflectable {
  /// Shows the number instead of the stored properties.
  public var customMirror: Mirror {
    Mirror(self, children: EmptyCollection())
  }
}

extension PropertyListInteger: Codable {
  /// Decodes an integer in the range −2⁶³ … 2⁶⁴ − 1.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Int64.self) {
      self.init(value)
    } else {
      self.init(try container.decode(UInt64.self))
    }
  }

  /// Encodes the number as an `Int64` if possible, otherwise as a `UInt64`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value = Int64(exactly: self) {
      try container.encode(value)
    } else {
      try container.encode(bits)
    }
  }
}
