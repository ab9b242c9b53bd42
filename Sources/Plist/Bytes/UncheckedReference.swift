/// A reference that is not counted where it is used, for objects that are used for each value.
///
/// Sound under the condition that the object is there as long as the reference is used: whoever makes one either retains
/// the object and releases it once, afterwards, or sees to it that something else keeps it.
@safe struct UncheckedReference<Object: AnyObject> {
  private let reference: Unmanaged<Object>

  /// Keeps `object` until ``release()``.
  init(retaining object: Object) { unsafe reference = .passRetained(object) }

  /// Does not keep `object`, which something else does.
  init(unretained object: Object) { unsafe reference = .passUnretained(object) }

  /// Lets go of an object that was retained.
  func release() { unsafe reference.release() }

  /// The object, counted.
  var object: Object { unsafe reference.takeUnretainedValue() }

  /// Calls `body` with the object.
  @inline(__always)
  func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef { try body($0) }
  }
}
