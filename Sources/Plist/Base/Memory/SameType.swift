/// Returns the value as the type `Other`, which must be the same as `Value`, without calling the runtime.
///
/// In generic code that isn't specialized, this takes a comparison and a copy, whereas `as!` takes several hundred
/// instructions.
///
/// - Precondition: `Value` and `Other` are the same type; this is checked.
func sameType<Value, Other>(_ value: Value, as type: Other.Type) -> Other {
  precondition(Value.self == Other.self)
  // Sound: `Value` and `Other` are the same type, as checked.
  return unsafe unsafeBitCast(value, to: Other.self)
}

/// Returns `value` as the type `Other`, which must be `Value` or one of its superclasses.
///
/// A caller can store a subclass's metatype in a variable of type `Other.Type` and decode a value of that subclass.
func upcast<Value, Other>(_ value: Value, to type: Other.Type) -> Other {
  if Value.self == Other.self { return sameType(value, as: type) }
  guard let other = value as? Other else { preconditionFailure("\(Value.self) is not a subclass of \(Other.self)") }
  return other
}
