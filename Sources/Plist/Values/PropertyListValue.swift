/// A Swift type that has a form as a property list.
///
/// Strings, booleans, numbers, dates, data, URLs and UUIDs conform, as do arrays, sets, optionals and dictionaries with
/// string keys over conforming types. An enum or struct with a conforming raw value needs no code:
///
///     enum Mode: String, PropertyListValue { case light, dark }
///     PropertyList(Mode.dark)               // "dark"
///     list["mode"]?.value(as: Mode.self)    // Mode.dark
///
/// What ``propertyList`` gives, ``init(propertyList:)`` takes back. Beyond that it converts between numbers where nothing
/// is lost: an integer reads as a `Double` and a whole real as an `Int`. Nothing reads as a string but strings, and
/// nothing but strings reads as one.
public protocol PropertyListValue {
  /// Makes a value of its property-list form, or nil when it is not one.
  init?(propertyList: PropertyList)

  /// The value as a property list.
  var propertyList: PropertyList { get }
}

extension PropertyList {
  /// Makes the property-list form of a value.
  public init(_ value: some PropertyListValue) {
    self = value.propertyList
  }

  /// The property list as a Swift type, nil when it is not one.
  ///
  ///     let port = list["port"]?.value(as: UInt16.self)
  public func value<Value: PropertyListValue>(as type: Value.Type = Value.self) -> Value? {
    Value(propertyList: self)
  }
}

/// Whatever has a raw value with a property-list form has that form.
extension PropertyListValue where Self: RawRepresentable, RawValue: PropertyListValue {
  /// Makes a value of its raw value's form.
  public init?(propertyList: PropertyList) {
    guard let rawValue = RawValue(propertyList: propertyList) else { return nil }
    self.init(rawValue: rawValue)
  }

  /// The raw value's form.
  public var propertyList: PropertyList {
    rawValue.propertyList
  }
}
