#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A property list: a scalar such as a string or number, or an array or dictionary of property lists.
///
/// ```swift
/// let list: PropertyList = ["name": "Ada", "born": 1815, "tags": ["math", "engines"]]
/// let tag = list["tags"]?[1]?.string  // "engines"
/// let name = list["name"]?.int        // nil: it is a string
///
/// var copy = list
/// copy["tags"]?[2] = "poetry"         // in place
/// copy["born"] = nil                  // removes the pair
/// ```
///
/// **Types are not converted implicitly.** An accessor such as ``int`` returns nil for a value of another type. An
/// integer never equals a real, and a Boolean never equals a number. To convert, use ``value(as:)``.
///
/// **Equality is exact.** Strings are compared by their UTF-8 bytes, so composed and decomposed `é` differ. Reals and
/// dates are compared by their bit patterns, so NaN equals itself and 0.0 differs from −0.0. The order of a
/// dictionary's pairs does not matter.
///
/// **Depth is limited.** Equality, hashing and description do not recurse, but the Swift runtime does when it releases
/// a nested value: it uses about 150 bytes of stack for each level (210 in debug builds). This is why readers refuse
/// documents deeper than 2,000 levels, whatever the limit you set.
public enum PropertyList: Sendable {
  /// A string.
  case string(String)
  /// An integer.
  case integer(PropertyListInteger)
  /// A real number.
  case real(Double)
  /// A Boolean.
  case boolean(Bool)
  /// A date.
  case date(Date)
  /// Data.
  case data(Data)
  /// A UID: a reference to an object in a keyed archive.
  case uid(PropertyListUID)
  /// Null, which only binary property lists and JSON have.
  case null
  /// An array of values.
  case array([PropertyList])
  /// A dictionary of values, in document order.
  case dictionary(PropertyListDictionary)
}

extension PropertyList {
  /// The type of a value.
  ///
  /// ```swift
  /// let list: PropertyList = ["port": 8080]
  /// let kind = list["port"]?.kind  // .integer
  /// ```
  public enum Kind: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// A string.
    case string
    /// An integer.
    case integer
    /// A real number.
    case real
    /// A Boolean.
    case boolean
    /// A date.
    case date
    /// Data.
    case data
    /// A UID: a reference to an object in a keyed archive.
    case uid
    /// Null.
    case null
    /// An array.
    case array
    /// A dictionary.
    case dictionary

    /// The name of the type, such as `dictionary`.
    public var description: String { rawValue }

    package var withArticle: String {
      switch self {
      case .data, .null: rawValue
      case .uid: "a UID"
      case .integer, .array: "an \(rawValue)"
      case .string, .real, .boolean, .date, .dictionary: "a \(rawValue)"
      }
    }
  }

  /// The type of this value.
  public var kind: Kind {
    switch self {
    case .string: .string
    case .integer: .integer
    case .real: .real
    case .boolean: .boolean
    case .date: .date
    case .data: .data
    case .uid: .uid
    case .null: .null
    case .array: .array
    case .dictionary: .dictionary
    }
  }
}

extension PropertyList: ExpressibleByStringInterpolation {
  /// Creates a string from a string literal.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension PropertyList: ExpressibleByIntegerLiteral {
  /// Creates an integer from a literal.
  ///
  /// - Precondition: The literal is in `Int64.min ... UInt64.max`.
  public init(integerLiteral value: StaticBigInt) {
    self = .integer(PropertyListInteger(integerLiteral: value))
  }
}

extension PropertyList: ExpressibleByFloatLiteral {
  /// Creates a real number from a floating-point literal.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension PropertyList: ExpressibleByBooleanLiteral {
  /// Creates a Boolean from the literal `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

extension PropertyList: ExpressibleByArrayLiteral {
  /// Creates an array from an array literal.
  public init(arrayLiteral elements: PropertyList...) {
    self = .array(elements)
  }
}

extension PropertyList: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary from a literal; if a key occurs twice, the last value wins.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self = .dictionary(
      PropertyListDictionary(keys: elements.map(\.0), values: elements.map(\.1), duplicates: .lastWins))
  }
}
