/// The value as the type that it is known to have, without the cost of a cast.
///
/// - Precondition: `Value` is `Known`; debug builds check it.
@inline(__always)
func known<Value, Known>(_ value: Value, as type: Known.Type) -> Known {
  assert(Value.self == Known.self)
  // Sound: both types are one and the same.
  return unsafe unsafeBitCast(value, to: Known.self)
}

/// The value of a known type as that of a generic parameter that is known to be the same.
///
/// - Precondition: `Known` is `Value`; debug builds check it.
@inline(__always)
func generic<Known, Value>(_ value: consuming Known, as type: Value.Type) -> Value {
  assert(Known.self == Value.self)
  // Sound: both types are one and the same, and an optional begins with its value. That is moved out rather than copied,
  // which would count references.
  var memory = Optional(value)
  return unsafe move(out: &memory, as: type)
}

/// The same for types that the compiler does not know, of whose optional the runtime would have to be asked for; it counts
/// references.
///
/// - Precondition: `Known` is `Value`; debug builds check it.
@inline(__always)
func reference<Known, Value>(_ value: Known, as type: Value.Type) -> Value {
  assert(Known.self == Value.self)
  // Sound: both types are one and the same.
  return unsafe unsafeBitCast(value, to: Value.self)
}

/// Takes the value out of an optional that has one.
@inline(__always)
private func move<Known, Value>(out memory: UnsafeMutablePointer<Known?>, as type: Value.Type) -> Value {
  let value = unsafe UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Value.self).move()
  unsafe memory.initialize(to: nil)
  return value
}
