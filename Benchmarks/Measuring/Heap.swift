/// The allocator that all contestants share.
enum Heap {
  /// Has the allocator do now what the last contestant's releases left for later.
  ///
  /// glibc only lists small blocks that are released, and joins them when somebody asks for a large one. After a peer
  /// has let go of millions of them, that takes longer than a fast contestant's whole run, who is not to pay for it.
  static func settle() {
    // Joined blocks are sorted by size on further requests, some ten thousand a time, until one is found that fits.
    for _ in 0..<1000 { withExtendedLifetime([UInt8](repeating: 0, count: 100_000)) {} }
  }
}
