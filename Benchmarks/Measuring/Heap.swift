/// The allocator that all contestants share.
enum Heap {
  /// Makes the allocator join the blocks that the last contestant released.
  ///
  /// glibc only lists small released blocks, and joins them at the next request for a large one. After a peer has
  /// released millions of them, joining takes longer than the whole run of a fast contestant. This time must not count
  /// for the next contestant.
  static func settle() {
    // Further requests sort the joined blocks by size, some ten thousand each, until a block that fits is found.
    for _ in 0..<1000 { withExtendedLifetime([UInt8](repeating: 0, count: 100_000)) {} }
  }
}
