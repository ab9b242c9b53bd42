/// A reference to an object that the first thread which needs it makes, and that all threads then share.
///
/// Reading it takes one load and no lock. The standard library's `AtomicLazyReference` needs newer Apple systems than this
/// package; the functions below are those with which the standard library has always kept such references itself.
@safe final class LazyReference<Object: AnyObject> {
  private let slot: UnsafeMutablePointer<AnyObject?>

  init() {
    unsafe slot = .allocate(capacity: 1)
    unsafe slot.initialize(to: nil)
  }

  // Sound: in `deinit`, no other reference to this object exists.
  deinit {
    unsafe slot.deinitialize(count: 1)
    unsafe slot.deallocate()
  }

  func load() -> Object? {
    // Sound: the slot is initialized, and only `storeIfNil` stores objects there.
    guard let object = unsafe _stdlib_atomicLoadARCRef(object: slot) else { return nil }
    return unsafe unsafeDowncast(object, to: Object.self)
  }

  /// Stores an object unless another thread has stored one, and returns the stored one.
  func storeIfNil(_ object: Object) -> Object {
    // Sound: the slot is initialized.
    if unsafe _stdlib_atomicInitializeARCRef(object: slot, desired: object) { return object }
    return load() ?? object
  }
}
