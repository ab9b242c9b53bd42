/// A value behind a reference, of which accesses are known not to overlap.
///
/// The runtime watches over each access to the properties of a class where the compiler cannot tell that nothing else
/// happens meanwhile; where values are a few bytes, that takes longer than all else. This class leaves it out in release
/// builds and so takes over the duty: nobody may get at the value while it is being changed. Debug builds check that.
@safe final class Unguarded<Wrapped> {
  #if DEBUG
  var value: Wrapped
  #else
  // Sound: see the duty above, which is on the users of the class.
  @exclusivity(unchecked) private var storage: Wrapped

  var value: Wrapped {
    @inline(__always) _read { yield unsafe storage }
    @inline(__always) _modify { yield unsafe &storage }
  }
  #endif

  init(_ value: consuming Wrapped) {
    #if DEBUG
    self.value = value
    #else
    unsafe storage = value
    #endif
  }
}
