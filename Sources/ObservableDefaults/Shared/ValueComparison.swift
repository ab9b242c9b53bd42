import Plist

struct ValueComparison<Value: Sendable>: Sendable {
  let areEqual: @Sendable (Value, Value) -> Bool

  /// Creates a comparison that uses `==` if the type is `Equatable`, and otherwise compares the values' property lists.
  ///
  /// Values that are unequal to themselves, such as NaN, are also compared by their property lists. Setting NaN twice
  /// counts as one change.
  init(propertyList: @escaping @Sendable (Value) throws -> PropertyList = { try anyForm($0) }) {
    let areFormsEqual: @Sendable (Value, Value) -> Bool = { old, new in
      guard let old = try? propertyList(old), let new = try? propertyList(new) else { return false }
      return old == new
    }
    guard let type = Value.self as? any (Equatable & SendableMetatype).Type else {
      areEqual = areFormsEqual
      return
    }
    let areEqual = Self.comparison(type)
    self.areEqual = { old, new in areEqual(old, new) || !areEqual(new, new) && areFormsEqual(old, new) }
  }

  /// Returns the property list of a value, whose type is known only at run time.
  private static func anyForm(_ value: Value) throws -> PropertyList {
    if let value = value as? any PropertyListValue { return value.propertyList }
    guard let value = value as? any Encodable else { throw DefaultsCoding<Bool>.mismatch(.null) }
    return try PlistEncoder().encodeToPropertyList(value)
  }

  private static func comparison<Known: Equatable & SendableMetatype>(
    _ type: Known.Type
  ) -> @Sendable (Value, Value) -> Bool {
    { old, new in
      guard let old = old as? Known, let new = new as? Known else { return false }
      return old == new
    }
  }
}
