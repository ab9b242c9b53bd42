/// A Swift type that can be converted to a property list and back.
///
/// The conforming types are strings, booleans, numbers, dates, data, URLs and UUIDs. Arrays, sets, optionals and
/// dictionaries with string keys conform if their elements conform. An enum or struct with a conforming raw value needs
/// no code:
///
/// ```swift
/// enum Mode: String, PropertyListValue { case light, dark }
/// let list: PropertyList = ["mode": PropertyList(Mode.dark)]  // "dark"
/// let mode = list["mode"]?.value(as: Mode.self)               // Mode.dark
/// ```
///
/// ``init(propertyList:)`` accepts every property list that ``propertyList`` returns. Conversions between integers and
/// reals that lose no information also succeed. For example, an integer can be read as a `Double`, and a whole real as
/// an `Int`. Only a string can be read as `String`.
public protocol PropertyListValue {
  /// Creates a value from its property-list form, or returns nil if the property list has another form.
  init?(propertyList: PropertyList)

  /// The value as a property list.
  var propertyList: PropertyList { get }
}

extension PropertyList {
  /// Creates the property-list form of a value.
  public init(_ value: some PropertyListValue) {
    self = value.propertyList
  }

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
