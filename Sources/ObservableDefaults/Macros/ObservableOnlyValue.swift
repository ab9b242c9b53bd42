#if Macros
@_exported public import Observation

/// Tells whether a value that is observed but not stored is about to change; used by generated code.
public enum _ObservableOnlyValue {
  /// Whether a value is known to be another's equal: it is not, as values of the type cannot be compared.
  public static func isSame<Value>(_ one: Value, _ other: Value) -> Bool { false }

  /// Whether two values are equal.
  public static func isSame<Value: Equatable>(_ one: Value, _ other: Value) -> Bool { one == other }

  /// Whether two objects are one.
  public static func isSame<Value: AnyObject>(_ one: Value, _ other: Value) -> Bool { one === other }

  /// Whether two objects are equal.
  public static func isSame<Value: Equatable & AnyObject>(_ one: Value, _ other: Value) -> Bool { one == other }
}
#endif
