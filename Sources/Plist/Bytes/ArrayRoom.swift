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

extension Array where Element: BitwiseCopyable {
  /// Calls `body` with room to overwrite the elements, the first first.
  @inline(__always)
  mutating func overwrite<Result>(_ body: (consuming ArrayRoom<Element>) -> Result) -> Result {
    unsafe withUnsafeMutableBufferPointer { unsafe body(ArrayRoom($0)) }
  }
}
