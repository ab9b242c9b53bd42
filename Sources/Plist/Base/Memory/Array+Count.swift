extension Array {
  /// Creates an array of `count` elements by calling `make` for each position in order.
  ///
  /// At most 256 MiB are allocated up front. A larger array grows from there, because `make` can throw before all of
  /// that memory is needed.
  init(count: Int, _ make: (Int) throws -> Element) rethrows {
    // For zero elements, `init(unsafeUninitializedCapacity:)` would write to the storage that all empty arrays share.
    if count == 0 {
      self = []
      return
    }
    // Handled separately because the general case looks up a generic type at run time.
    if count == 1 {
      self = [try make(0)]
      return
    }
    let first = Swift.min(count, Swift.max(Self.largestAllocation / Swift.max(MemoryLayout<Element>.stride, 1), 1))
    // Sound: the capacity is `first` elements, and `initialized` counts the initialized elements even if `make` throws.
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
