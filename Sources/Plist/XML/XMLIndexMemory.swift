/// Memory that was taken for one document, kept to be used for the next.
struct XMLIndexMemory {
  /// What the entries were in.
  private var block: MemoryBlock?
  /// What the reader kept containers in; empty.
  private var parents: [XMLContainer] = []

  /// More bytes than this are not kept.
  private static var mostKept: Int { 1 << 16 }
  private static var mostParentsKept: Int { 64 }

  /// Hands the block out, if there is one.
  mutating func takeBlock() -> MemoryBlock? { block.take() }

  /// Keeps a block that nobody else has.
  mutating func keep(_ block: consuming MemoryBlock?) {
    if let block = consume block, block.size <= Self.mostKept { self.block = block }
  }

  /// Swaps the array for the one that is kept, both empty afterwards.
  mutating func exchange(_ parents: inout [XMLContainer]) {
    while parents.popLast() != nil {}
    if parents.capacity <= Self.mostParentsKept { swap(&parents, &self.parents) }
  }
}
