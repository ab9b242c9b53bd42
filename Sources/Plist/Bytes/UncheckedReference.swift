/// A reference that is not counted where it is used, for objects that are used for each value.
///
/// Sound under the conditions that whoever makes one releases it once, when it is not used any more, and that the object
/// is not given up otherwise as long as it is used.
@safe struct UncheckedReference<Object: AnyObject> {
  private let reference: Unmanaged<Object>

  /// Keeps `object` until ``release()``.
  init(retaining object: Object) { unsafe reference = .passRetained(object) }

  /// Does not keep `object`, which something else does.
  init(unretained object: Object) { unsafe reference = .passUnretained(object) }

  /// Lets go of an object that was retained.
  func release() { unsafe reference.release() }

  /// Calls `body` with the object.
  @inline(__always)
  func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef { try body($0) }
  }
}
