extension Array {
  /// Whether both arrays have the same elements in the same memory, so that they are equal without a comparison.
  ///
  /// The function compares only addresses, and reads no memory at these addresses.
  func isSameStorage(as other: [Element]) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { left in
      unsafe other.withUnsafeBufferPointer { right in
        unsafe left.baseAddress == right.baseAddress
      }
    }
  }
}
