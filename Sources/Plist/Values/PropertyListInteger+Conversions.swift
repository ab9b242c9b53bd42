extension BinaryInteger {
  /// Makes the number when this type can hold it, else nil.
  public init?(exactly value: PropertyListInteger) {
    if value.isNegative {
      self.init(exactly: Int64(bitPattern: value.bits))
    } else {
      self.init(exactly: value.bits)
    }
  }
}

extension FixedWidthInteger {
  /// Makes the number that is nearest to `value`.
  public init(clamping value: PropertyListInteger) {
    if value.isNegative {
      self.init(clamping: Int64(bitPattern: value.bits))
    } else {
      self.init(clamping: value.bits)
    }
  }
}

extension BinaryFloatingPoint {
  /// Makes the floating-point number that is nearest to `value`.
  public init(_ value: PropertyListInteger) {
    if value.isNegative {
      self.init(Int64(bitPattern: value.bits))
    } else {
      self.init(value.bits)
    }
  }

  /// Makes the number when this type holds it exactly, else nil.
  public init?(exactly value: PropertyListInteger) {
    if value.isNegative {
      self.init(exactly: Int64(bitPattern: value.bits))
    } else {
      self.init(exactly: value.bits)
    }
  }
}

extension PropertyListInteger: ExpressibleByIntegerLiteral {
  /// Makes the number that was written.
  ///
  /// - Precondition: the literal is in `Int64.min ... UInt64.max`.
  public init(integerLiteral value: Int128) {
    self.init(value)
  }
}

extension PropertyListInteger: LosslessStringConvertible {
  /// The number in decimal.
  public var description: String {
    isNegative ? Int64(bitPattern: bits).description : bits.description
  }

  /// Reads decimal digits after an optional sign; nil for anything else and for numbers out of range.
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
  /// Shows the number without its storage.
  public var customMirror: Mirror {
    Mirror(self, children: EmptyCollection())
  }
}

extension PropertyListInteger: Codable {
  /// Decodes a number in range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Int64.self) {
      self.init(value)
    } else {
      self.init(try container.decode(UInt64.self))
    }
  }

  /// Encodes an `Int64` where it fits, else a `UInt64`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value = Int64(exactly: self) {
      try container.encode(value)
    } else {
      try container.encode(bits)
    }
  }
}
