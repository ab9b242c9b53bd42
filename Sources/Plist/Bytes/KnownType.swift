/// The value as the type that it is known to have, without the cost of a cast.
///
/// - Precondition: `Value` is `Known`; debug builds check it.
@inline(__always)
func known<Value, Known>(_ value: Value, as type: Known.Type) -> Known {
  assert(Value.self == Known.self)
  // Sound: both types are one and the same.
  return unsafe withUnsafePointer(to: value) { pointer in
    unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: Known.self).pointee
  }
}

/// The value of a known type as that of a generic parameter that is known to be the same.
///
/// - Precondition: `Known` is `Value`; debug builds check it.
@inline(__always)
func generic<Known, Value>(_ value: Known, as type: Value.Type) -> Value {
  assert(Known.self == Value.self)
  // Sound: both types are one and the same.
  return unsafe unsafeBitCast(value, to: Value.self)
}
