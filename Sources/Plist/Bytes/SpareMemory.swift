import Synchronization

/// A large block of memory that buffers hand on, the next one taking what the last one has given back.
///
/// The system clears each page that it gives, which for a large document takes as long as a good part of writing it.
/// While the block waits here, the system may take the memory back, so that all that is kept for sure is addresses.
final class SpareMemory: Sendable {
  private let block = Mutex<MemoryBlock?>(nil)

  /// Takes out the block, if there is one of at least `size` bytes.
  func take(_ size: Int) -> MemoryBlock? {
    block.withLock { block in
      guard let found = block, found.size >= size else { return nil }
      block = nil
      return found
    }
  }

  /// Keeps a block that nobody uses any more, of which the first `count` bytes have been written, unless there is one.
  func keep(_ returned: MemoryBlock, used count: Int) {
    #if os(Linux)
    returned.discard(count)
    #endif
    block.withLock { [returned] block in
      if block == nil { block = returned }
    }
  }
}
