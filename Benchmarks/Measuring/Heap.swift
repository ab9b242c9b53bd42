/// The heap of the process, shared by all measured libraries.
enum Heap {
  /// Makes the allocator merge the blocks that the previous contestant has freed.
  ///
  /// glibc keeps small freed blocks in lists, and merges them only when a large block is requested. After millions of
  /// small blocks, this takes longer than a whole run of a fast contestant, so do it between runs, where it is not
  /// timed.
  static func settle() {
    // After a request for a large block, each further request sorts some ten thousand merged blocks by size; a thousand
    // requests sort them all.
    for _ in 0..<1000 { withExtendedLifetime([UInt8](repeating: 0, count: 100_000)) {} }
  }
}
