/// The elements of an array that something else keeps alive and unchanged.
///
/// A walk over a whole tree would otherwise retain and release each container, and each value on the way to a function;
/// that is more work than most values take to write.
///
/// Sound under the condition that whoever makes one holds the array, or a value that the array is part of, for as long
/// as it is used (`withExtendedLifetime`): an array that is held does not change, and its elements stay in place, since
/// those of other types than classes are stored contiguously.
@safe struct BorrowedArray<Element: ~Copyable> {
  fileprivate let base: UnsafePointer<Element>?
  let count: Int

  /// The element at `index`, borrowed.
  ///
  /// - Precondition: `index` is below ``count``.
  @inline(__always)
  subscript(index: Int) -> Element {
    _read {
      assert(index >= 0 && index < count)
      // Sound: within the array, which has elements then and so a base.
      yield unsafe base.unsafelyUnwrapped[index]
    }
  }

  /// Calls `body` with each element, none of which is copied for it.
  @inline(__always)
  func forEach<Failure: Error>(_ body: (borrowing Element) throws(Failure) -> Void) throws(Failure) {
    guard let base = unsafe base else { return }
    // Sound: within the array.
    for index in 0..<count { try unsafe body(base[index]) }
  }
}

// Elements may be what cannot be copied only so that the compiler makes no copies here of those that can.
extension BorrowedArray where Element: Copyable {
  @inline(__always)
  init(_ elements: [Element]) {
    unsafe base = elements.withUnsafeBufferPointer { $0.baseAddress }
    count = elements.count
  }

  /// The elements of a value whose type is known to be an array of them, and which the caller holds.
  ///
  /// Nothing in it depends on the type of the array but its elements, since to look that up takes longer than all else.
  ///
  /// - Precondition: `Value` is `[Element]`; debug builds check it.
  @inline(__always)
  init<Value>(of value: Value) {
    assert(Value.self == [Element].self)
    // Sound: both types are one and the same.
    let (start, count) = unsafe withUnsafeBytes(of: value) { bytes in
      let elements = unsafe bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: [Element].self)
      return unsafe elements.pointee.withUnsafeBufferPointer { unsafe (UnsafeRawPointer($0.baseAddress), $0.count) }
    }
    unsafe base = start?.assumingMemoryBound(to: Element.self)
    self.count = count
  }
}

extension BorrowedArray<String> {
  /// The words of the string at `index`, which is not retained for it.
  ///
  /// - Precondition: `index` is below ``count``, and a string is two words.
  @inline(__always)
  func wordPair(at index: Int) -> (UInt64, UInt64) {
    assert(index >= 0 && index < count && ShortString.isLayoutKnown)
    // Sound: within the array, and any bits are valid words.
    return unsafe UnsafeRawPointer(base.unsafelyUnwrapped + index).load(as: (UInt64, UInt64).self)
  }
}
