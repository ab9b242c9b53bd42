#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A property list: a value, or an array or dictionary of them.
///
///     let list: PropertyList = ["name": "Ada", "born": 1815, "tags": ["math", "engines"]]
///     list["tags"]?[1]?.string    // "engines"
///     list["name"]?.int           // nil: it is a string
///
///     var copy = list
///     copy["tags"]?[2] = "poetry" // in place
///     copy["born"] = nil          // removes the pair
///
/// **Kinds do not mix.** An accessor such as ``int`` gives nil for a value of another kind, an integer never equals a real
/// and a boolean never equals a number. ``value(as:)`` is for reading with conversion.
///
/// **Equality is exact**, as files are: strings by their UTF-8 bytes, so that composed and decomposed `é` differ; reals and
/// dates by their bits, so that NaN equals itself and 0.0 differs from −0.0; dictionaries in whatever order.
///
/// **Depth.** Equality, hashing and description do not recurse, whatever the nesting. Releasing a value does, in the
/// runtime; that takes about 150 bytes of stack for each level (210 in debug builds), which is why readers stop at 2,000.
public enum PropertyList: Sendable {
  /// Text.
  case string(String)
  /// A whole number.
  case integer(PropertyListInteger)
  /// A floating-point number.
  case real(Double)
  /// True or false.
  case boolean(Bool)
  /// A point in time.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A reference inside a keyed archive.
  case uid(PropertyListUID)
  /// Nothing; only binary property lists and JSON can hold it.
  case null
  /// Values in order.
  case array([PropertyList])
  /// Values by key, in the order of the document.
  case dictionary(PropertyListDictionary)
}

extension PropertyList {
  /// The kind of a value, without the value.
  public enum Kind: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Text.
    case string
    /// A whole number.
    case integer
    /// A floating-point number.
    case real
    /// True or false.
    case boolean
    /// A point in time.
    case date
    /// Bytes.
    case data
    /// A reference inside a keyed archive.
    case uid
    /// Nothing.
    case null
    /// Values in order.
    case array
    /// Values by key.
    case dictionary

    /// The word for the kind, such as `dictionary`.
    public var description: String { rawValue }
  }

  /// The kind of this value.
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
