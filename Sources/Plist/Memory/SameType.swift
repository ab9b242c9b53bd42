/// Returns the value as another type that is known to be the same, without a call of the runtime.
///
/// In generic code that is not specialized, this takes a comparison and a copy. `as!` takes several hundred
/// instructions.
///
/// - Precondition: `Value` is `Other`, which is checked.
@inline(__always)
func sameType<Value, Other>(_ value: Value, as type: Other.Type) -> Other {
  precondition(Value.self == Other.self)
  // Sound: both types are one and the same, as has just been checked.
  return unsafe unsafeBitCast(value, to: Other.self)
}
