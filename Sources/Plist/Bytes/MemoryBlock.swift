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
  /// Whether the memory may be that of an earlier block, and is kept for a later one.
  private let isReused: Bool

  /// Whether all bytes were zero at first.
  var isZeroed: Bool { isMapped && !isReused }

  /// Smaller blocks come from the allocator.
  static let smallestMapping = 1 << 20

  /// Up to this size, memory that is reused is all of this size.
  private static let smallReused = 1 << 12
  /// No larger blocks are reused, since more of them would be kept than most programs have any use for.
  private static let largestReused = 1 << 28

  init(size: Int) {
    self.size = size
    isReused = false
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

  /// A block of at least `size` bytes, in which anything may be at first.
  init(reusing size: Int) {
    if size <= Self.smallReused {
      (isMapped, isReused, self.size) = (false, true, Self.smallReused)
      unsafe base = SpareMemory.small.take()?.base ?? Self.allocate(Self.smallReused)
      return
    }
    #if os(Linux)
    if size >= Self.smallestMapping, size <= Self.largestReused {
      if let spare = unsafe SpareMemory.mapped.take() {
        // What is much larger than needed would have a small document keep a lot of memory.
        if unsafe spare.size >= size, unsafe spare.size / 4 <= size {
          (isMapped, isReused) = (true, true)
          unsafe (base, self.size) = spare
          return
        }
        _ = unsafe munmap(spare.base, spare.size)
      }
      if let address = unsafe Self.map(size) {
        (isMapped, isReused, self.size) = (true, true, size)
        unsafe base = address
        return
      }
    }
    #endif
    (isMapped, isReused, self.size) = (false, false, size)
    unsafe base = Self.allocate(size)
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
    isReused = false
  }
  #endif

  deinit {
    if isReused, keepsMemory() { return }
    // Sound: as it was made.
    if isMapped { _ = unsafe munmap(base, size) } else { unsafe Self.release(base) }
  }

  /// Leaves the memory to the next block, if there is none left yet.
  private func keepsMemory() -> Bool {
    guard isMapped else { return unsafe SpareMemory.small.keep(base, size: size) }
    #if os(Linux)
    // The system may take the pages as long as nobody writes to them again.
    guard unsafe madvise(base, size, MADV_FREE) == 0 else { return false }
    #endif
    return unsafe SpareMemory.mapped.keep(base, size: size)
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
