#if Macros
@_exported public import Observation

/// A namespace of functions for properties that are observed but not stored, for generated code.
public enum _ObservableOnlyValue {
  /// Returns false, since the type is neither `Equatable` nor a class.
  public static func isSame<Value>(_ one: Value, _ other: Value) -> Bool { false }

  /// Returns whether two values are equal.
  public static func isSame<Value: Equatable>(_ one: Value, _ other: Value) -> Bool { one == other }

  /// Returns whether two objects are identical.
  public static func isSame<Value: AnyObject>(_ one: Value, _ other: Value) -> Bool { one === other }

  /// Returns whether two objects are equal.
  public static func isSame<Value: Equatable & AnyObject>(_ one: Value, _ other: Value) -> Bool { one == other }

  /// Runs the body of a property's `willSet` or `didSet`, unless the current task is already running one of the two
  /// bodies.
  public static func observe(_ name: String, of object: AnyObject, _ body: () -> Void) {
    if !ObservedProperties.isRunning(name, of: object) { ObservedProperties.run(name, of: object, body) }
  }
}
#endif
