#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The value as a Swift type, or nil if it is of another kind.
///
/// Only ``double`` converts, from integers; ``value(as:)`` converts more.
extension PropertyList {
  /// The string, or nil if the value is not one.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The integer as an `Int`, or nil if the value is not one that fits.
  public var int: Int? {
    if case .integer(let value) = self { Int(exactly: value) } else { nil }
  }

  /// The integer, or nil if the value is not one.
  public var integer: PropertyListInteger? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number as a `Double`, or nil if the value is not a number, or an integer that `Double` cannot represent.
  ///
  /// Integers are included, since many documents write `1` where a real is meant.
  public var double: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }

  /// The Boolean, or nil if the value is not one.
  public var bool: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The date, or nil if the value is not one.
  public var date: Date? {
    if case .date(let value) = self { value } else { nil }
  }

  /// The data, or nil if the value is not data.
  public var data: Data? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The UID, or nil if the value is not one.
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

  /// The number of elements or pairs; 0 for any other value.
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
