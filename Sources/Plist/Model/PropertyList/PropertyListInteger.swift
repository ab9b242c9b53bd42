/// An integer in a property list, which can be any `Int64` or `UInt64`.
///
/// Property lists can contain numbers above `Int64.max`, as 16 bytes in binary documents and as digits in XML, so no
/// 64-bit integer type can represent them all. `PropertyListInteger` has the range −2⁶³ … 2⁶⁴−1, compares by value and
/// converts exactly:
///
/// ```swift
/// let size: PropertyListInteger = 18_446_744_073_709_551_615
/// let unsigned = UInt64(exactly: size)  // 18446744073709551615
/// let signed = Int(exactly: size)       // nil
/// ```
public struct PropertyListInteger: Hashable, Sendable {
  /// The bits of an `Int64` if the number is negative, otherwise of a `UInt64`.
  let bits: UInt64

  /// Whether the number is less than zero.
  public let isNegative: Bool

  /// The absolute value, which is 2⁶³ for ``min``.
  public var magnitude: UInt64 {
    isNegative ? 0 &- bits : bits
  }

  /// The smallest value, −2⁶³.
  public static var min: PropertyListInteger { PropertyListInteger(Int64.min) }

  /// The largest value, 2⁶⁴ − 1.
  public static var max: PropertyListInteger { PropertyListInteger(UInt64.max) }

  /// Creates zero.
  public init() {
    bits = 0
    isNegative = false
  }

  /// Creates a number from a signed integer.
  public init(_ value: Int64) {
    bits = UInt64(bitPattern: value)
    isNegative = value < 0
  }

  /// Creates a number from an unsigned integer.
  public init(_ value: UInt64) {
    bits = value
    isNegative = false
  }

  /// Creates a number from an integer that is in range.
  ///
  /// - Precondition: `value` is in `Int64.min ... UInt64.max`.
  public init(_ value: some BinaryInteger) {
    guard let exact = PropertyListInteger(exactly: value) else {
      preconditionFailure("\(value) is outside Int64.min ... UInt64.max, the range of a property-list integer")
    }
    self = exact
  }

  /// Creates a number from an integer, or returns nil if the integer is out of range.
  public init?(exactly value: some BinaryInteger) {
    if let value = UInt64(exactly: value) {
      self.init(value)
    } else if let value = Int64(exactly: value) {
      self.init(value)
    } else {
      return nil
    }
  }

  /// Creates a number from a floating-point number, or returns nil if it has a fraction or is out of range.
  public init?(exactly value: some BinaryFloatingPoint) {
    if let value = UInt64(exactly: value) {
      self.init(value)
    } else if let value = Int64(exactly: value) {
      self.init(value)
    } else {
      return nil
    }
  }

  /// Creates the representable number closest to `value`.
  public init(clamping value: some BinaryInteger) {
    self = PropertyListInteger(exactly: value) ?? (value < 0 ? .min : .max)
  }
}

extension PropertyListInteger: Comparable {
  /// Whether `left` is less than `right`.
  public static func < (left: PropertyListInteger, right: PropertyListInteger) -> Bool {
    left.isNegative == right.isNegative ? left.bits < right.bits : left.isNegative
  }
}
