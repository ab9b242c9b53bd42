/// A reference to a shared object that is created by the first thread that needs it.
///
/// Reading it takes one load and no lock. The standard library's `AtomicLazyReference` requires newer Apple systems
/// than this package, so this class calls the functions that the standard library has always used for its own lazy
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

  /// Stores `object` unless another thread has already stored one, and returns the stored object.
  func storeIfNil(_ object: Object) -> Object {
    // Sound: the slot is initialized.
    if unsafe _stdlib_atomicInitializeARCRef(object: slot, desired: object) { return object }
    return load() ?? object
  }
}
