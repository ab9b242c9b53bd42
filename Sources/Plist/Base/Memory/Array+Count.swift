extension Array {
  /// Creates an array of `count` elements by calling `make` for each position in order.
  ///
  /// Up to 256 MiB are allocated at once. A larger array grows step by step, because `make` can throw before all of it
  /// is needed.
  init(count: Int, _ make: (Int) throws -> Element) rethrows {
    // For zero, `init(unsafeUninitializedCapacity:)` would write to the storage that all empty arrays share.
    if count == 0 {
      self = []
      return
    }
    // A separate case, because the general one looks up a generic type at run time.
    if count == 1 {
      self = [try make(0)]
      return
    }
    let first = Swift.min(count, Swift.max(Self.largestAllocation / Swift.max(MemoryLayout<Element>.stride, 1), 1))
    // Sound: the capacity is `first` elements, and `initialized` counts what is initialized even if `make` throws.
    try unsafe self.init(unsafeUninitializedCapacity: first) { buffer, initialized in
      while initialized < first {
        let element = try make(initialized)
        unsafe buffer.initializeElement(at: initialized, to: element)
        initialized += 1
      }
    }
    while self.count < count { append(try make(self.count)) }
  }

  /// The largest single allocation for a new array, in bytes.
  private static var largestAllocation: Int { 1 << 28 }
}
