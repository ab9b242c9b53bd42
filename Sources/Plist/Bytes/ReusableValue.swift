/// A value that is one reference, kept to be handed out again once all copies that were handed out are gone.
///
/// Whoever has its number of references told by the runtime needs not make another value of a generic type, which takes
/// an allocation and several look-ups of metadata.
@safe class ReusableValue {
  /// Where the value is; it is deallocated by ``ReusableValueOf``.
  fileprivate let reference: UnsafeMutablePointer<AnyObject>

  fileprivate init(_ reference: UnsafeMutablePointer<AnyObject>) { unsafe self.reference = reference }

  /// Whether there is no copy of the value but the one that is kept here.
  @inline(__always)
  final var isUnshared: Bool { unsafe isKnownUniquelyReferenced(&reference.pointee) }
}

/// The value with its type.
///
/// A copy takes the type's metadata from the object's class, which is why it is a class of its own for each type.
@safe final class ReusableValueOf<Value>: ReusableValue {
  private let value: UnsafeMutablePointer<Value>

  /// Keeps `value`, or is nil where it is not known to be one reference and nothing else.
  init?(_ value: Value, isOneReference: Bool) {
    guard isOneReference, MemoryLayout<Value>.size == MemoryLayout<AnyObject>.size else { return nil }
    let memory = unsafe MemoryBlock.allocate(MemoryLayout<Value>.stride)
    // Sound: the memory has the size of either type. What is in it is a reference, as the caller knows, and it is
    // looked at as such only for the number of references.
    unsafe self.value = memory.bindMemory(to: Value.self, capacity: 1)
    unsafe self.value.initialize(to: value)
    unsafe super.init(memory.assumingMemoryBound(to: AnyObject.self))
  }

  deinit {
    unsafe value.deinitialize(count: 1)
    unsafe MemoryBlock.release(value)
  }

  /// A copy of the value.
  @inline(never)
  func copy() -> Value { unsafe value.pointee }
}

extension ReusableValue {
  /// A copy of the value.
  ///
  /// - Precondition: It is a `Value`; debug builds check it.
  @inline(__always)
  final func copy<Value>(as type: Value.Type) -> Value {
    // Sound: the object's class is that of the type.
    unsafe unsafeDowncast(self, to: ReusableValueOf<Value>.self).copy()
  }
}
