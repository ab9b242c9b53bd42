extension Array {
  /// Creates an array of `count` elements by calling `make` with each position in order.
  ///
  /// If the elements need at most 256 MiB, memory for all elements is allocated at once. A larger array grows step by
  /// step, because `make` can throw an error before all memory is needed.
  init(count: Int, _ make: (Int) throws -> Element) rethrows {
    // For a `count` of zero, `init(unsafeUninitializedCapacity:)` would write to the storage that all empty arrays
    // share.
    if count == 0 {
      self = []
      return
    }
    // A separate branch for one element is faster, because the branch for more elements looks up a generic type at run
    // time.
    if count == 1 {
      self = [try make(0)]
      return
    }
    let first = Swift.min(count, Swift.max(Self.largestAllocation / Swift.max(MemoryLayout<Element>.stride, 1), 1))
    // The unsafe code is sound: the capacity is `first` elements, and `initialized` counts the initialized elements
    // even if `make` throws an error.
    try unsafe self.init(unsafeUninitializedCapacity: first) { buffer, initialized in
      while initialized < first {
        let element = try make(initialized)
        unsafe buffer.initializeElement(at: initialized, to: element)
        initialized += 1
      }
    }
    while self.count < count { append(try make(self.count)) }
  }

  /// The maximum size in bytes of one allocation for a new array.
  private static var largestAllocation: Int { 1 << 28 }
}
