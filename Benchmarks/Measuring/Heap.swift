/// All contestants share the allocator of the process.
enum Heap {
  /// Makes the allocator join the blocks that the previous contestant released.
  ///
  /// glibc lists small released blocks, and joins these blocks only at the next request for a large block. After a peer
  /// has released millions of small blocks, joining takes longer than the whole run of a fast contestant. The time for
  /// joining must not count for the next contestant, so the blocks are joined between two contestants.
  static func settle() {
    // Each further request sorts some ten thousand of the joined blocks by size, until a block fits. A thousand
    // requests sort all blocks.
    for _ in 0..<1000 { withExtendedLifetime([UInt8](repeating: 0, count: 100_000)) {} }
  }
}
