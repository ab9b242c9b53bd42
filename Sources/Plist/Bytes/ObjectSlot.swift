import Synchronization

/// A place for one object, which threads take out and put in without a lock.
@safe final class ObjectSlot<Object: AnyObject & Sendable>: Sendable {
  // Retained while it is here.
  private let kept = unsafe Atomic<Unmanaged<Object>?>(nil)

  init() {}

  deinit { _ = take() }

  /// Takes the object out, if there is one.
  func take() -> Object? {
    // Sound: whoever takes the reference out is the only one to do so, and releases it.
    unsafe kept.exchange(nil, ordering: .acquiring)?.takeRetainedValue()
  }

  /// Puts an object in, and takes out the one that there was.
  func put(_ object: consuming Object) -> Object? {
    var reference: Unmanaged<Object>?
    unsafe Self.move(object, to: &reference)
    return unsafe kept.exchange(reference, ordering: .acquiringAndReleasing)?.takeRetainedValue()
  }

  /// Makes `reference` the one that `object` is, which is not counted anew.
  @inline(__always)
  private static func move(_ object: consuming Object, to reference: UnsafeMutablePointer<Unmanaged<Object>?>) {
    // Sound: an unmanaged reference is a reference, and takes over what the object's was counted for.
    unsafe UnsafeMutableRawPointer(reference).assumingMemoryBound(to: Object.self).initialize(to: object)
  }
}
