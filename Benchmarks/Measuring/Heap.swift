/// The heap of the process, shared by all measured libraries.
enum Heap {
  /// Makes the allocator join the blocks that the previous contestant has released.
  ///
  /// glibc keeps small released blocks in lists, and joins them only when a large block is requested. After millions of
  /// small blocks that takes longer than a whole run of a fast contestant, so it is done in between, where it counts
  /// for nobody.
  static func settle() {
    // After a request for a large block, each further one sorts some ten thousand joined blocks by size; a thousand
    // sort them all.
    for _ in 0..<1000 { withExtendedLifetime([UInt8](repeating: 0, count: 100_000)) {} }
  }
}
