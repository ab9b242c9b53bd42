extension Array {
  /// Whether both arrays share the same storage and are therefore equal; no elements are compared.
  func isSameStorage(as other: [Element]) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { left in
      unsafe other.withUnsafeBufferPointer { right in
        unsafe left.baseAddress == right.baseAddress
      }
    }
  }
}
