/// The heap of the process, which all measured libraries share.
enum Heap {
  /// Makes the allocator join the blocks that the previous contestant released.
  ///
  /// glibc collects small released blocks in lists, and joins the blocks only at the next request for a large block.
  /// After a contestant has released millions of small blocks, joining the blocks takes longer than a whole run of a
  /// fast contestant. The benchmark joins the blocks between two contestants, so that the time does not count
  /// for the next contestant.
  static func settle() {
    // After the first request for a large block, each request sorts some ten thousand of the joined blocks by size. A
    // thousand requests thus sort all blocks.
    for _ in 0..<1000 { withExtendedLifetime([UInt8](repeating: 0, count: 100_000)) {} }
  }
}
