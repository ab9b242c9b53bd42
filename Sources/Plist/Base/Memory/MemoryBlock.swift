#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// An object that owns a block of allocated memory; the block can grow, and is freed when the object is deallocated.
///
/// The conformance of `MemoryBlock` to `Sendable` is unchecked, because the type has a pointer. The conformance is
/// sound: only the owner of a block, a ``GrowingBuffer``, writes through the pointer. A `GrowingBuffer` is not
/// copyable, so a block has one owner.
@safe final class MemoryBlock: @unchecked Sendable {
  /// The address of the first byte, which ``resize(to:)`` can change.
  private(set) var base: UnsafeMutableRawPointer

  /// The bytes of the new block are not initialized.
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

  /// Makes the block larger or smaller, and keeps its bytes; the address of the bytes can change.
  ///
  /// For a large block, the allocator remaps the pages instead of copying the bytes.
  ///
  /// Make a block smaller only if more than half of it is unused. glibc returns a freed block to the system if the
  /// block is larger than all blocks that were freed before. glibc can keep smaller freed blocks for reuse. If every
  /// block is made smaller before it is freed, glibc keeps no block of the original size. Each new block of the
  /// original size then needs new memory pages from the system. For documents of 500 kB, obtaining new memory pages
  /// took 25 to 40 % of the time of writing XML. Obtaining new memory pages also took 8 % of the time of decoding XML
  /// documents of 500 kB.
  ///
  /// - Precondition: After the call, code must not use an earlier pointer to the block.
  @unsafe func resize(to newSize: Int) {
    // The unsafe code is sound: the property `base` is the address that the allocator returned last, and `base` is
    // immediately set to the new address.
    unsafe base = Self.reallocate(base, to: newSize)
  }

  /// Makes the block larger like ``resize(to:)``, or returns false and leaves it as it is if there is no memory.
  ///
  /// - Precondition: After a successful call, code must not use an earlier pointer to the block.
  @unsafe func resizeIfPossible(to newSize: Int) -> Bool {
    // The unsafe code is sound for the reason in `resize(to:)`; after a failure, `realloc` has kept the block.
    guard newSize >= 0, let moved = unsafe realloc(base, max(newSize, 1)) else { return false }
    unsafe Self.preferLargePages(moved, newSize)
    unsafe base = moved
    return true
  }

  /// Whether the system would provide `size` more bytes at this moment.
  ///
  /// Arrays, strings and data end the process if there is no memory for them. Whoever is about to make one whose size
  /// the input decides asks first, and throws an error instead. The answer is certain only for this moment, but leaves
  /// room for everything small. Fewer bytes than ``largeSize`` always count as available, since asking takes longer than
  /// filling them.
  static func isAvailable(_ size: Int) -> Bool {
    guard size >= largeSize else { return size >= 0 }
    // The unsafe code is sound: the new mapping is not used, and its own range is unmapped.
    let address = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address = unsafe address, unsafe address != UnsafeMutableRawPointer(bitPattern: -1) else { return false }
    unsafe munmap(address, size)
    return true
  }

  deinit { unsafe Self.release(base) }

  /// Requests large pages for a large block, because a page fault for each small page takes longer than filling the
  /// page.
  @unsafe private static func preferLargePages(_ base: UnsafeMutableRawPointer, _ size: Int) {
    #if os(Linux)
    let page = 1 << 12
    guard size >= largeSize else { return }
    // The range for `madvise` is extended to whole pages of 4 KiB. The allocator can grow a mapping by moving its pages
    // only if all pages of the mapping have the same advice. The unsafe code is sound: the call only gives advice to
    // the system, and the pages are mapped.
    let start = UInt(bitPattern: base) & ~UInt(page - 1)
    let end = (UInt(bitPattern: base) + UInt(size) + UInt(page) - 1) & ~UInt(page - 1)
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
    #endif
  }

  static var largeSize: Int { 4 << 20 }

  /// Allocates memory that is aligned for every type in this module; ``release(_:)`` frees the memory.
  ///
  /// Swift's own `allocate` requests an alignment, and glibc allocates aligned memory more slowly.
  @unsafe static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    guard size >= 0, let address = unsafe malloc(max(size, 1)) else {
      fatalError("out of memory: cannot allocate \(size) bytes")
    }
    unsafe preferLargePages(address, size)
    return unsafe address
  }

  /// Makes memory from ``allocate(_:)`` larger or smaller, and keeps its bytes; the address of the bytes can change.
  @unsafe static func reallocate(_ address: UnsafeMutableRawPointer, to size: Int) -> UnsafeMutableRawPointer {
    guard let moved = unsafe realloc(address, max(size, 1)) else {
      fatalError("out of memory: cannot allocate \(size) bytes")
    }
    unsafe preferLargePages(moved, size)
    return unsafe moved
  }

  /// Frees memory from ``allocate(_:)``; the memory must not be used afterwards.
  @unsafe static func release(_ address: UnsafeMutableRawPointer?) { unsafe free(address) }
}
