extension Array {
  /// Creates an array of `count` elements by calling `make` with each position in order.
  ///
  /// All memory is allocated at once, unless `count` is very large. For a very large `count`, allocating all memory
  /// could fail although `make` would soon throw an error, so memory is then allocated step by step.
  init(count: Int, _ make: (Int) throws -> Element) rethrows {
    // For a `count` of zero, `init(unsafeUninitializedCapacity:)` would write to the storage that all empty arrays
    // share.
    if count == 0 {
      self = []
      return
    }
    // A single element has its own case, because the general case uses a generic type that the runtime must look up.
    if count == 1 {
      self = [try make(0)]
      return
    }
    let first = Swift.min(count, Swift.max(Self.largestAllocation / Swift.max(MemoryLayout<Element>.stride, 1), 1))
    // Sound: `first` elements fit into the capacity, and `initialized` is the number of elements even if `make` throws.
    try unsafe self.init(unsafeUninitializedCapacity: first) { buffer, initialized in
      while initialized < first {
        let element = try make(initialized)
        unsafe buffer.initializeElement(at: initialized, to: element)
        initialized += 1
      }
    }
    while self.count < count { append(try make(self.count)) }
  }

  /// The maximum number of bytes that are allocated at once.
  private static var largestAllocation: Int { 1 << 28 }
}
