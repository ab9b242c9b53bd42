#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Accessors that return the value as a Swift type without conversion, or nil if the value has another native type.
extension PropertyList {
  /// The text of a string.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The number of an integer, or nil if `Int` cannot represent the number.
  public var int: Int? {
    if case .integer(let value) = self { Int(exactly: value) } else { nil }
  }

  /// The number of an integer.
  public var integer: PropertyListInteger? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number of a real.
  public var double: Double? {
    if case .real(let value) = self { value } else { nil }
  }

  /// The value of a Boolean.
  public var bool: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The date.
  public var date: Date? {
    if case .date(let value) = self { value } else { nil }
  }

  /// The data.
  public var data: Data? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The UID.
  public var uid: PropertyListUID? {
    if case .uid(let value) = self { value } else { nil }
  }

  /// The elements of an array.
  public var array: [PropertyList]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The pairs of a dictionary.
  public var dictionary: PropertyListDictionary? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The number of elements or pairs; 0 if the value is not a container.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    switch self {
    case .array(let elements): elements.count
    case .dictionary(let dictionary): dictionary.count
    default: 0
    }
  }

  /// A Boolean value that indicates whether this is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}
