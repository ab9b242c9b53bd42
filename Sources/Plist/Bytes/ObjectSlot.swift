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
    unsafe kept.exchange(.passRetained(object), ordering: .acquiringAndReleasing)?.takeRetainedValue()
  }
}
