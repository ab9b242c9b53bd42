import Plist

/// Tells whether a value is another one.
struct ValueComparison<Value: Sendable>: Sendable {
  let areEqual: @Sendable (Value, Value) -> Bool

  /// Compares by `==` where the type has it, and else by the property lists of the values.
  ///
  /// Values that are unequal to themselves, such as NaN, are told apart by their property lists too, so that setting one
  /// again changes nothing.
  init(propertyList: (@Sendable (Value) throws -> PropertyList)?) {
    let areFormsEqual: @Sendable (Value, Value) -> Bool = { old, new in
      guard let propertyList, let old = try? propertyList(old), let new = try? propertyList(new) else { return false }
      return old == new
    }
    guard let type = Value.self as? any (Equatable & SendableMetatype).Type else {
      areEqual = areFormsEqual
      return
    }
    let areEqual = Self.comparison(type)
    self.areEqual = { old, new in areEqual(old, new) || !areEqual(new, new) && areFormsEqual(old, new) }
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
