#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(WASILibc)
import WASILibc
#elseif os(Windows)
import CRT
#else
import Darwin
#endif

/// A block of allocated memory, which can grow and is freed with the object.
///
/// `Sendable` is unchecked because of the pointer. It is sound because only a ``GrowingBuffer`` writes through the
/// pointer, and buffers are not copyable, so each block has a single owner.
@safe final class MemoryBlock: @unchecked Sendable {
  /// The address of the first byte, which ``resize(to:)`` can change.
  private(set) var base: UnsafeMutableRawPointer

  /// Allocates a block of uninitialized bytes.
  init(size: Int) {
    unsafe base = Self.allocate(size)
  }

  init(zeros size: Int) {
    guard size >= 0, let address = unsafe calloc(max(size, 1), 1) else {
      fatalError("out of memory: cannot allocate \(size) bytes")
    }
    unsafe base = address
    unsafe Self.preferLargePages(base, size)
  }

  /// Grows or shrinks the block, keeping its bytes, which may move to another address.
  ///
  /// The pages of a large block are remapped instead of copied.
  ///
  /// Shrink a block only if more than half of it is unused. glibc returns a freed block to the system if it is larger
  /// than any block freed before, but can keep smaller ones for reuse. If every block were shrunk before being freed,
  /// glibc would keep none of the original size, and each new block would need new pages from the system. That made up
  /// 25 to 40 % of the cost of writing 500 kB of XML, and 8 % of the cost of decoding it.
  ///
  /// - Precondition: No earlier pointer to the block is used after the call.
  @unsafe func resize(to newSize: Int) {
    // Sound: `base` is the address that the allocator last returned, and it is updated immediately.
    unsafe base = Self.reallocate(base, to: newSize)
  }

  /// Grows the block like ``resize(to:)``, or returns false and leaves it unchanged if there isn't enough memory.
  ///
  /// - Precondition: No earlier pointer to the block is used after a successful call.
  @unsafe func resizeIfPossible(to newSize: Int) -> Bool {
    // Sound for the same reason as `resize(to:)`; if `realloc` fails, it keeps the block.
    guard newSize >= 0, let moved = unsafe realloc(base, max(newSize, 1)) else { return false }
    unsafe Self.preferLargePages(moved, newSize)
    unsafe base = moved
    return true
  }

  /// Whether the system can provide `size` more bytes right now.
  ///
  /// Arrays, strings and `Data` crash the process if there is no memory for them. Before creating one whose size
  /// depends on the input, call this method, and throw an error if it returns false. The answer holds only for the
  /// moment. Sizes below ``largeSize`` always count as available, since asking the system would take longer than
  /// filling the memory.
  static func isAvailable(_ size: Int) -> Bool {
    guard size >= largeSize else { return size >= 0 }
    return System.canAllocate(size)
  }

  deinit { unsafe Self.release(base) }

  /// Requests huge pages for a large block, because a page fault for each small page takes longer than filling it.
  @unsafe private static func preferLargePages(_ base: UnsafeMutableRawPointer, _ size: Int) {
    if size >= largeSize { unsafe System.preferLargePages(base, size) }
  }

  static var largeSize: Int { 4 << 20 }

  /// Allocates memory that is aligned for every type in this module, to be freed with ``release(_:)``.
  ///
  /// Swift's own `allocate` requests a specific alignment, which makes glibc slower.
  @unsafe static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    guard size >= 0, let address = unsafe malloc(max(size, 1)) else {
      fatalError("out of memory: cannot allocate \(size) bytes")
    }
    unsafe preferLargePages(address, size)
    return unsafe address
  }

  /// Grows or shrinks memory from ``allocate(_:)``, keeping its bytes, which may move to another address.
  @unsafe static func reallocate(_ address: UnsafeMutableRawPointer, to size: Int) -> UnsafeMutableRawPointer {
    guard let moved = unsafe realloc(address, max(size, 1)) else {
      fatalError("out of memory: cannot allocate \(size) bytes")
    }
    unsafe preferLargePages(moved, size)
    return unsafe moved
  }

  /// Frees memory from ``allocate(_:)``, which must not be used afterwards.
  @unsafe static func release(_ address: UnsafeMutableRawPointer?) { unsafe free(address) }
}
