#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A Swift type that can be converted to a property list and back.
///
/// The types of strings, Booleans, numbers, dates, data, URLs and UUIDs conform to `PropertyListValue`. Arrays, sets,
/// optionals and dictionaries with string keys conform to `PropertyListValue` if their elements conform. If the raw
/// value of an enum or struct conforms to `PropertyListValue`, the enum or struct needs no code for the conformance:
///
/// ```swift
/// enum Mode: String, PropertyListValue { case light, dark }
/// let list: PropertyList = ["mode": PropertyList(Mode.dark)]  // "dark"
/// let mode = list["mode"]?.value(as: Mode.self)               // Mode.dark
/// ```
///
/// ``init(propertyList:)`` accepts every property list that ``propertyList`` returns. A conversion between an integer
/// and a real also succeeds if it loses no information. For example, an integer can be read as a `Double`, and a real
/// without a fraction as an `Int`. A `String` can be created only from a string.
public protocol PropertyListValue {
  /// Creates a value from a property list, or returns nil if the property list does not represent a value of this type.
  init?(propertyList: PropertyList)

  /// The value as a property list.
  var propertyList: PropertyList { get }
}

extension PropertyList {
  /// Creates a property list from a value of a convertible type.
  public init(_ value: some PropertyListValue) {
    self = value.propertyList
  }

  /// Not available, since it could mean either of two things: `PropertyList(parsing: data)` reads a document, and
  /// `PropertyList.data(data)` is a value that contains the bytes.
  @available(*, unavailable, message: "use PropertyList(parsing: data) to read a document, or .data(data) for a value")
  public init(_ data: Data) { self = .data(data) }

  /// Returns the property list as a Swift type, or nil if the property list cannot be converted to the type.
  ///
  /// ```swift
  /// let port = list["port"]?.value(as: UInt16.self)
  /// ```
  public func value<Value: PropertyListValue>(as type: Value.Type = Value.self) -> Value? {
    Value(propertyList: self)
  }
}

extension PropertyListValue where Self: RawRepresentable, RawValue: PropertyListValue {
  /// Creates a value from the property-list form of its raw value.
  public init?(propertyList: PropertyList) {
    guard let rawValue = RawValue(propertyList: propertyList) else { return nil }
    self.init(rawValue: rawValue)
  }

  /// The property-list form of the raw value.
  public var propertyList: PropertyList {
    rawValue.propertyList
  }
}
