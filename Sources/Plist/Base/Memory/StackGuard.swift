/// Checks the free space on a thread's stack, for recursion whose depth depends on the input.
///
/// Coders call a program's `Codable` implementations, which can call coders again, so neither the depth nor the stack
/// that one value takes is known in advance. Before each value, coders check the stack, and throw if too little is
/// left.
///
/// On Linux, looking up the bounds of a stack takes about ten microseconds. Each thread does so only once; a later
/// check takes a few nanoseconds.
enum StackGuard {
  /// Whether at least `count` bytes of the current thread's stack are left.
  ///
  /// Also true if the system does not report the bounds, or this is not the thread's own stack. Where the bound is only
  /// assumed, an address below it counts as too little space.
  @inline(never)
  static func has(_ count: UInt) -> Bool {
    var marker: UInt8 = 0
    // Sound: only the address is used; nothing is read there.
    let here = unsafe withUnsafePointer(to: &marker) { UInt(bitPattern: $0) }
    let lowest = lowestAddress(near: here)
    return here < lowest ? !isBoundAssumed : here - lowest >= count
  }

  /// The lowest address of the current thread's stack, or 1 if the system does not report it.
  @inline(__always)
  private static func lowestAddress(near here: UInt) -> UInt {
    let known = lowest.value
    if known != 0 { return known }
    let found = max(lookUpLowestAddress(near: here), 1)
    lowest.value = found
    return found
  }

  private static let lowest = ThreadVariable()
}
