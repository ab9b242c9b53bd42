/// A whole number as property lists hold it: any `Int64` and any `UInt64`.
///
/// Binary property lists write numbers above `Int64.max` in 16 bytes and XML ones in plain decimal, so neither Swift type
/// can hold them all. This one holds exactly their union, −2⁶³ … 2⁶⁴−1, compares by value and converts exactly:
///
///     let size: PropertyListInteger = 18_446_744_073_709_551_615
///     UInt64(exactly: size)  // 18446744073709551615
///     Int(exactly: size)     // nil
public struct PropertyListInteger: Hashable, Sendable {
  /// The number in two's complement: an `Int64` when it is negative, else a `UInt64`.
  let bits: UInt64

  /// Whether the number is less than zero.
  public let isNegative: Bool

  /// The distance from zero; 2⁶³ for ``min``.
  public var magnitude: UInt64 {
    isNegative ? 0 &- bits : bits
  }

  /// The least number there is, −2⁶³.
  public static var min: PropertyListInteger { PropertyListInteger(Int64.min) }

  /// The greatest number there is, 2⁶⁴ − 1.
  public static var max: PropertyListInteger { PropertyListInteger(UInt64.max) }

  /// Makes zero.
  public init() {
    bits = 0
    isNegative = false
  }

  /// Takes a signed number.
  public init(_ value: Int64) {
    bits = UInt64(bitPattern: value)
    isNegative = value < 0
  }

  /// Takes an unsigned number.
  public init(_ value: UInt64) {
    bits = value
    isNegative = false
  }

  /// Takes any number in range.
  ///
  /// - Precondition: `value` is in `Int64.min ... UInt64.max`.
  public init(_ value: some BinaryInteger) {
    guard let exact = PropertyListInteger(exactly: value) else {
      preconditionFailure("\(value) is outside Int64.min ... UInt64.max, the range of a property-list integer")
    }
    self = exact
  }

  /// Takes any number in range, or makes nil.
  public init?(exactly value: some BinaryInteger) {
    if let value = UInt64(exactly: value) {
      self.init(value)
    } else if let value = Int64(exactly: value) {
      self.init(value)
    } else {
      return nil
    }
  }

  /// Takes a floating-point number that is whole and in range, or makes nil.
  public init?(exactly value: some BinaryFloatingPoint) {
    if let value = UInt64(exactly: value) {
      self.init(value)
    } else if let value = Int64(exactly: value) {
      self.init(value)
    } else {
      return nil
    }
  }

  /// Takes the number in range that is nearest to `value`.
  public init(clamping value: some BinaryInteger) {
    self = PropertyListInteger(exactly: value) ?? (value < 0 ? .min : .max)
  }
}

extension PropertyListInteger: Comparable {
  /// Compares by value.
  public static func < (left: PropertyListInteger, right: PropertyListInteger) -> Bool {
    left.isNegative == right.isNegative ? left.bits < right.bits : left.isNegative
  }
}
