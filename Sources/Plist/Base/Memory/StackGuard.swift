/// Checks the free space on a thread's stack, for recursion whose depth depends on the input.
///
/// Coders call a program's `Codable` implementations, which can call coders again, so neither the depth of the
/// recursion nor the stack space for one value is known in advance. Coders therefore check the stack before each value
/// and throw if too little space is left.
///
/// On Linux, looking up the bounds of a stack takes about ten microseconds. Each thread does so only once; later checks
/// take a few nanoseconds.
enum StackGuard {
  /// Whether at least `count` bytes of the current thread's stack are left.
  ///
  /// Also true if the system does not report the bounds, or if the code runs on a stack other than the thread's own.
  /// Where the bound is only assumed, an address below it counts as too little space.
  @inline(never)
  static func has(_ count: UInt) -> Bool {
    var marker: UInt8 = 0
    // Sound: only the address is used; nothing is read from it.
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
