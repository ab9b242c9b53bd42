extension Array {
  /// Returns whether both arrays share one storage, and are therefore equal without a comparison of elements.
  ///
  /// The function compares the counts and addresses of the arrays, and reads no elements.
  func isSameStorage(as other: [Element]) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { left in
      unsafe other.withUnsafeBufferPointer { right in
        unsafe left.baseAddress == right.baseAddress
      }
    }
  }
}
