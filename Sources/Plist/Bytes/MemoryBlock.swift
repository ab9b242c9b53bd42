#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// Memory that is released with the object.
///
/// A large block is address space of its own: memory is taken only for what is written, in large pages where the system
/// has them, since a fault for each small one takes longer than filling it does.
///
/// Unchecked because of the pointer: sound since nobody but its owner, a buffer or room that sees to being the only one,
/// writes through it.
@safe final class MemoryBlock: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  /// The size in bytes.
  let size: Int
  private let isMapped: Bool

  /// Whether all bytes were zero at first.
  var isZeroed: Bool { isMapped }

  /// Smaller blocks come from the allocator.
  static let smallestMapping = 1 << 20

  init(size: Int) {
    self.size = size
    #if os(Linux)
    if size >= Self.smallestMapping, let address = unsafe Self.map(size) {
      unsafe base = address
      isMapped = true
      return
    }
    #endif
    // Elsewhere the allocator itself leaves large blocks without memory until they are written to.
    unsafe base = Self.allocate(size)
    isMapped = false
  }

  #if os(Linux)
  /// Address space of that size, or nil where the system does not give it.
  private static func map(_ size: Int) -> UnsafeMutableRawPointer? {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    let address = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let address = unsafe address, unsafe address != UnsafeMutableRawPointer(bitPattern: -1) else { return nil }
    // Advice only: without large pages it is slower, no more.
    _ = unsafe madvise(address, size, MADV_HUGEPAGE)
    return unsafe address
  }

  /// A block of at least `size` bytes with address space for many more, or nil where the system does not give it.
  static func spacious(_ size: Int) -> MemoryBlock? {
    let (more, overflow) = max(size, 1 << 26).multipliedReportingOverflow(by: 16)
    guard !overflow, let address = unsafe map(more) else { return nil }
    return unsafe MemoryBlock(mapped: address, size: more)
  }

  private init(mapped address: UnsafeMutableRawPointer, size: Int) {
    unsafe base = address
    self.size = size
    isMapped = true
  }

  /// Lets the system take back the memory of the first `count` bytes, whose values are lost, when it runs short of it.
  ///
  /// Until then, writing to them again takes no fault and no clearing of pages.
  func discard(_ count: Int) {
    guard isMapped else { return }
    // Whole large pages, so that none is split.
    let pages = min(size, (count + Self.largePage - 1) & ~(Self.largePage - 1))
    // Sound: within the block, which is this object's. Advice only, and what it does to the bytes is wanted.
    _ = unsafe madvise(base, pages, MADV_FREE)
  }

  private static let largePage = 1 << 21
  #endif

  deinit {
    // Sound: as it was made.
    if isMapped { _ = unsafe munmap(base, size) } else { unsafe Self.release(base) }
  }

  /// Memory of the allocator, aligned for any type that is used here, to be given back with
  /// ``release(_:)``.
  ///
  /// Swift's own `allocate` asks for an alignment, for which glibc takes a slower way.
  static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    guard let address = unsafe malloc(max(size, 1)) else { fatalError("out of memory: \(size) bytes") }
    return unsafe address
  }

  /// Gives back what ``allocate(_:)`` gave.
  static func release(_ address: UnsafeMutableRawPointer?) { unsafe free(address) }
}
