/// The elements of an array, to be written one after the other.
///
/// Sound as long as it does not leave the closure it was made for.
@safe struct ArrayRoom<Element: BitwiseCopyable>: ~Copyable {
  /// Nil where there is no room, and then never written to.
  private let base: UnsafeMutablePointer<Element>?
  private let capacity: Int
  private(set) var count = 0

  fileprivate init(_ buffer: UnsafeMutableBufferPointer<Element>) {
    unsafe base = buffer.baseAddress
    capacity = buffer.count
  }

  /// How many more elements there is room for.
  @inline(__always)
  var left: Int { capacity &- count }

  @inline(__always)
  mutating func append(_ element: Element) {
    precondition(count < capacity)
    // Sound: within the array, as checked.
    unsafe base.unsafelyUnwrapped[count] = element
    count &+= 1
  }
}

extension Array {
  /// The elements that `make` makes, one after the other, given their positions.
  ///
  /// Room for them is made at once, unless they are so many that it could fail although `make` does before.
  init(count: Int, _ make: (Int) throws -> Element) rethrows {
    // What else is below goes through a type of its own, which the runtime has to look up.
    if count == 1 {
      self = [try make(0)]
      return
    }
    let first = Swift.min(count, Self.mostRoom / Swift.max(MemoryLayout<Element>.stride, 1))
    // Sound: as many as there is room for, and `initialized` is how many there are, whether `make` fails or not.
    try unsafe self.init(unsafeUninitializedCapacity: first) { buffer, initialized in
      while initialized < first {
        let element = try make(initialized)
        unsafe buffer.initializeElement(at: initialized, to: element)
        initialized += 1
      }
    }
    while self.count < count { append(try make(self.count)) }
  }

  /// How many bytes of room are made at once.
  private static var mostRoom: Int { 1 << 28 }
}

extension Array where Element: BitwiseCopyable {
  /// Calls `body` with room to overwrite the elements, the first first.
  @inline(__always)
  mutating func overwrite<Result>(_ body: (consuming ArrayRoom<Element>) -> Result) -> Result {
    unsafe withUnsafeMutableBufferPointer { unsafe body(ArrayRoom($0)) }
  }
}
