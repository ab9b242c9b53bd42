/// Returns the value as the type `Other`, which must be `Value`, without calling the runtime.
///
/// In generic code that is not specialized, this is a comparison and a copy, where `as!` costs several hundred
/// instructions.
///
/// - Precondition: `Value` and `Other` are the same type, which is checked.
func sameType<Value, Other>(_ value: Value, as type: Other.Type) -> Other {
  precondition(Value.self == Other.self)
  // Sound: `Value` and `Other` are the same type, by the precondition.
  return unsafe unsafeBitCast(value, to: Other.self)
}

/// Returns `value` as the type `Other`, which must be `Value` or a superclass.
///
/// A caller can store the metatype of a subclass in an `Other.Type`, and decode a value of that subclass.
func upcast<Value, Other>(_ value: Value, to type: Other.Type) -> Other {
  if Value.self == Other.self { return sameType(value, as: type) }
  guard let other = value as? Other else { preconditionFailure("\(Value.self) is not a subclass of \(Other.self)") }
  return other
}
