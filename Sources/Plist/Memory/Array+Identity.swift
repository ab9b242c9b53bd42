extension Array {
  /// Whether both arrays are the same elements in the same memory, which makes them equal without a look at any of
  /// them.
  ///
  /// Only addresses are compared; nothing is read through them.
  func isSameStorage(as other: [Element]) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { left in
      unsafe other.withUnsafeBufferPointer { right in
        unsafe left.baseAddress == right.baseAddress
      }
    }
  }
}
