#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Android
#endif
import Synchronization

/// Address space that large blocks gave back, with its pages, for those that come after them.
///
/// The system clears every page that it gives out, which is a tenth of the time that an index or a written document
/// takes. Pages that are kept here it may take back whenever it is short of memory; until then they need no clearing.
struct SpareMemory {
  /// A part of the address space that has been mapped.
  ///
  /// Unchecked because of the pointer: sound since whoever has the space is the only one to write to it.
  @safe struct Space: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let size: Int

    /// Gives it back to the system.
    func unmap() { _ = unsafe munmap(base, size) }
  }

  private static let shared = Mutex(SpareMemory())
  /// How many spaces are kept: a document's, and that of what is written from it.
  private static let count = 2
  /// How many bytes of each keep their pages.
  private static let keptSize = 64 << 20

  /// What is kept, the oldest first.
  private var spaces: [Space] = []

  /// A space of at least `size` bytes, whatever they are; nil where none is kept.
  static func take(_ size: Int) -> Space? {
    shared.withLock { spare in
      let fitting = spare.spaces.indices.filter { spare.spaces[$0].size >= size }
      // Larger ones are left for those who need them.
      let smallest = fitting.min { spare.spaces[$0].size < spare.spaces[$1].size }
      return smallest.map { spare.spaces.remove(at: $0) }
    }
  }

  /// Keeps a space that nobody uses any more, or gives it back.
  static func keep(_ space: Space) {
    // Sound: the rest is within the space.
    if space.size > keptSize {
      _ = unsafe madvise(space.base + keptSize, space.size - keptSize, MADV_DONTNEED)
    }
    // Kernels that cannot take pages back later get them now.
    guard unsafe madvise(space.base, min(space.size, keptSize), MADV_FREE) == 0 else { return space.unmap() }
    let oldest = shared.withLock { spare in
      spare.spaces.append(space)
      return spare.spaces.count > count ? spare.spaces.removeFirst() : nil
    }
    oldest?.unmap()
  }
}
#endif
