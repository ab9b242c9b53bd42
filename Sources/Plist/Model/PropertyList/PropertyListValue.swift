#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A Swift type that can be converted to a property list and back.
///
/// Strings, Booleans, numbers, dates, data, URLs and UUIDs conform, and so do arrays, sets, optionals and dictionaries
/// with string keys if their elements do. An enum or struct whose raw value conforms needs no code:
///
/// ```swift
/// enum Mode: String, PropertyListValue { case light, dark }
/// let list: PropertyList = ["mode": PropertyList(Mode.dark)]  // "dark"
/// let mode = list["mode"]?.value(as: Mode.self)               // Mode.dark
/// ```
///
/// ``init(propertyList:)`` accepts what ``propertyList`` returns. It also converts between integers and reals if
/// nothing is lost: an integer can be read as a `Double`, and a real without a fraction as an `Int`. A `String` can be
/// read only from a string.
public protocol PropertyListValue {
  /// Creates a value, or returns nil if the property list does not represent one of this type.
  init?(propertyList: PropertyList)

  /// The value as a property list.
  var propertyList: PropertyList { get }
}

extension PropertyList {
  /// Creates a property list from a value.
  public init(_ value: some PropertyListValue) {
    self = value.propertyList
  }

  /// Unavailable, because it could mean two things: `PropertyList(parsing: data)` reads a document, and
  /// `PropertyList.data(data)` is a value that contains the bytes.
  @available(*, unavailable, message: "use PropertyList(parsing: data) to read a document, or .data(data) for a value")
  public init(_ data: Data) { self = .data(data) }

  /// Returns the value as a Swift type, or nil if it cannot be converted.
  ///
  /// ```swift
  /// let port = list["port"]?.value(as: UInt16.self)
  /// ```
  public func value<Value: PropertyListValue>(as type: Value.Type = Value.self) -> Value? {
    Value(propertyList: self)
  }
}

extension PropertyListValue where Self: RawRepresentable, RawValue: PropertyListValue {
  /// Creates a value from its raw value.
  public init?(propertyList: PropertyList) {
    guard let rawValue = RawValue(propertyList: propertyList) else { return nil }
    self.init(rawValue: rawValue)
  }

  /// The raw value as a property list.
  public var propertyList: PropertyList {
    rawValue.propertyList
  }
}
