#if Macros
@_exported public import Observation

/// A namespace for comparisons of values that are observed but not stored, for generated code.
public enum _ObservableOnlyValue {
  /// Returns false, since the type is neither `Equatable` nor a class.
  public static func isSame<Value>(_ one: Value, _ other: Value) -> Bool { false }

  /// Returns whether two values are equal.
  public static func isSame<Value: Equatable>(_ one: Value, _ other: Value) -> Bool { one == other }

  /// Returns whether two objects are identical.
  public static func isSame<Value: AnyObject>(_ one: Value, _ other: Value) -> Bool { one === other }

  /// Returns whether two objects are equal.
  public static func isSame<Value: Equatable & AnyObject>(_ one: Value, _ other: Value) -> Bool { one == other }
}
#endif
