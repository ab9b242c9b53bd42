#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Accessors that return the value as a Swift type, or nil if it is of another kind.
///
/// They don't convert values, except that ``double`` accepts integers. To convert, use ``value(as:)``.
extension PropertyList {
  /// The string, or nil if the value is not a string.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The integer as an `Int`, or nil if the value is not an integer or does not fit.
  public var int: Int? {
    if case .integer(let value) = self { Int(exactly: value) } else { nil }
  }

  /// The integer, or nil if the value is not an integer.
  public var integer: PropertyListInteger? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number as a `Double`, or nil if the value is not a number or is an integer that `Double` cannot represent.
  ///
  /// Integers are accepted because many documents contain `1` where a real is meant.
  public var double: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }

  /// The Boolean, or nil if the value is not a Boolean.
  public var bool: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The date, or nil if the value is not a date.
  public var date: Date? {
    if case .date(let value) = self { value } else { nil }
  }

  /// The data, or nil if the value is not data.
  public var data: Data? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The UID, or nil if the value is not a UID.
  public var uid: PropertyListUID? {
    if case .uid(let value) = self { value } else { nil }
  }

  /// The elements, or nil if the value is not an array.
  public var array: [PropertyList]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The pairs, or nil if the value is not a dictionary.
  public var dictionary: PropertyListDictionary? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The number of elements or pairs, or 0 for a scalar.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    switch self {
    case .array(let elements): elements.count
    case .dictionary(let dictionary): dictionary.count
    default: 0
    }
  }

  /// Whether the value is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}
