/// The allocator that all contestants share.
enum Heap {
  /// Has the allocator do now what the last contestant's releases left for later.
  ///
  /// glibc only lists small blocks that are released, and joins them at the next request for a large one. After a peer
  /// has released millions of them, joining takes longer than the whole run of a fast contestant. The time must not
  /// count for the next contestant.
  static func settle() {
    // Joined blocks are sorted by size on further requests, some ten thousand a time, until one is found that fits.
    for _ in 0..<1000 { withExtendedLifetime([UInt8](repeating: 0, count: 100_000)) {} }
  }
}
