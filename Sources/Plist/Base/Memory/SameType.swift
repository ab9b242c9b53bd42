/// Returns the value as the type `Other` without calling the Swift runtime; `Other` must be the same type as `Value`.
///
/// In generic code that is not specialized, this function costs a comparison and a copy, whereas `as!` costs several
/// hundred instructions.
///
/// - Precondition: `Value` and `Other` must be the same type; the function checks this precondition.
func sameType<Value, Other>(_ value: Value, as type: Other.Type) -> Other {
  precondition(Value.self == Other.self)
  // The unsafe code is sound: the precondition ensures that `Value` and `Other` are the same type.
  return unsafe unsafeBitCast(value, to: Other.self)
}

/// Returns `value` as the type `Other`, which must be the type `Value` or a superclass of `Value`.
///
/// A caller can store the metatype of a subclass in a variable of the type `Other.Type`, and decode a value of that
/// subclass.
func upcast<Value, Other>(_ value: Value, to type: Other.Type) -> Other {
  if Value.self == Other.self { return sameType(value, as: type) }
  guard let other = value as? Other else { preconditionFailure("\(Value.self) is not a subclass of \(Other.self)") }
  return other
}
