extension Array {
  /// The elements that `make` makes, one after the other, given their positions.
  ///
  /// Memory for them is allocated at once, unless they are so many that it could fail although `make` does before.
  init(count: Int, _ make: (Int) throws -> Element) rethrows {
    // The initializer below would store the count into the array that all empty ones share.
    if count == 0 {
      self = []
      return
    }
    // The code below uses a generic type, which the runtime has to look up.
    if count == 1 {
      self = [try make(0)]
      return
    }
    let first = Swift.min(count, Swift.max(Self.largestAllocation / Swift.max(MemoryLayout<Element>.stride, 1), 1))
    // Sound: no more than the capacity, and `initialized` is how many there are, whether `make` fails or not.
    try unsafe self.init(unsafeUninitializedCapacity: first) { buffer, initialized in
      while initialized < first {
        let element = try make(initialized)
        unsafe buffer.initializeElement(at: initialized, to: element)
        initialized += 1
      }
    }
    while self.count < count { append(try make(self.count)) }
  }

  /// The greatest number of bytes that are allocated at once.
  private static var largestAllocation: Int { 1 << 28 }
}
