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

/// Owns a block of allocated memory, which can grow and is freed with the object.
///
/// `Sendable` is unchecked because of the pointer, and sound: only a ``GrowingBuffer`` writes through it, and since
/// that is not copyable, a block has a single owner.
@safe final class MemoryBlock: @unchecked Sendable {
  /// The address of the first byte, which ``resize(to:)`` can change.
  private(set) var base: UnsafeMutableRawPointer

  /// The bytes are not initialized.
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

  /// Makes the block larger or smaller, and keeps its bytes, whose address can change.
  ///
  /// The pages of a large block are remapped instead of copied.
  ///
  /// Make a block smaller only if more than half of it is unused. glibc returns a freed block to the system if it is
  /// larger than all that were freed before, and can keep smaller ones for reuse. If every block is made smaller before
  /// it is freed, none of the original size is kept, and each new one needs new pages from the system: 25 to 40 % of
  /// writing 500 kB of XML, and 8 % of decoding it.
  ///
  /// - Precondition: No earlier pointer to the block is used after the call.
  @unsafe func resize(to newSize: Int) {
    // Sound: `base` is the address that the allocator returned last, and is set to the new one at once.
    unsafe base = Self.reallocate(base, to: newSize)
  }

  /// Makes the block larger like ``resize(to:)``; false, and unchanged, if there is no memory.
  ///
  /// - Precondition: No earlier pointer to the block is used after a successful call.
  @unsafe func resizeIfPossible(to newSize: Int) -> Bool {
    // Sound for the reason in `resize(to:)`; after a failure, `realloc` has kept the block.
    guard newSize >= 0, let moved = unsafe realloc(base, max(newSize, 1)) else { return false }
    unsafe Self.preferLargePages(moved, newSize)
    unsafe base = moved
    return true
  }

  /// Whether the system can provide `size` more bytes right now.
  ///
  /// Arrays, strings and `Data` end the process if there is no memory for them. Before creating one whose size depends
  /// on the input, call this, and throw an error instead. The answer is certain only for this moment. Less than
  /// ``largeSize`` always counts as available, since asking would take longer than filling it.
  static func isAvailable(_ size: Int) -> Bool {
    guard size >= largeSize else { return size >= 0 }
    return System.canAllocate(size)
  }

  deinit { unsafe Self.release(base) }

  /// Requests large pages for a large block: a page fault for each small page takes longer than filling it.
  @unsafe private static func preferLargePages(_ base: UnsafeMutableRawPointer, _ size: Int) {
    if size >= largeSize { unsafe System.preferLargePages(base, size) }
  }

  static var largeSize: Int { 4 << 20 }

  /// Allocates memory that is aligned for every type in this module; ``release(_:)`` frees it.
  ///
  /// Swift's own `allocate` requests an alignment, which makes glibc slower.
  @unsafe static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    guard size >= 0, let address = unsafe malloc(max(size, 1)) else {
      fatalError("out of memory: cannot allocate \(size) bytes")
    }
    unsafe preferLargePages(address, size)
    return unsafe address
  }

  /// Makes memory from ``allocate(_:)`` larger or smaller, and keeps its bytes, whose address can change.
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
