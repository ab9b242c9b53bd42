/// A reference to a shared object, which the first thread that needs it creates.
///
/// Reading it takes one load and no lock. The standard library's `AtomicLazyReference` needs newer Apple systems than
/// this package; the functions below are the ones that the standard library has always used for its own lazy
/// references.
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
