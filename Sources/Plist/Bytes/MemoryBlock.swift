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
  let isZeroed: Bool

  /// Smaller blocks come from the allocator.
  static let smallestMapping = 1 << 20

  /// - Parameters:
  ///   - size: How many bytes are needed.
  ///   - isZeroed: Whether they should be zero, if that costs nothing.
  init(size: Int, isZeroed: Bool = false) {
    #if os(Linux)
    if size >= Self.smallestMapping, let (space, isNew) = Self.space(size, isNew: isZeroed) {
      (unsafe base, self.size, self.isZeroed) = unsafe (space.base, space.size, isNew)
      isMapped = true
      return
    }
    #endif
    // Elsewhere the allocator itself leaves large blocks without memory until they are written to.
    unsafe base = Self.allocate(size)
    self.size = size
    self.isZeroed = false
    isMapped = false
  }

  #if os(Linux)
  /// Address space of at least that size, one that is kept or, if need be, a new one; nil where the system gives none.
  private static func space(_ size: Int, isNew: Bool) -> (space: SpareMemory.Space, isNew: Bool)? {
    if !isNew, let space = SpareMemory.take(size) { return (space, false) }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    let address = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let address = unsafe address, unsafe address != UnsafeMutableRawPointer(bitPattern: -1) else { return nil }
    // Advice only: without large pages it is slower, no more.
    _ = unsafe madvise(address, size, MADV_HUGEPAGE)
    return (unsafe SpareMemory.Space(base: address, size: size), true)
  }

  /// A block of at least `size` bytes with address space for many more, or nil where the system does not give it.
  static func spacious(_ size: Int) -> MemoryBlock? {
    let (more, overflow) = max(size, 1 << 26).multipliedReportingOverflow(by: 16)
    guard !overflow, let (space, _) = space(more, isNew: false) else { return nil }
    return MemoryBlock(mapped: space)
  }

  private init(mapped space: SpareMemory.Space) {
    unsafe base = space.base
    size = space.size
    isZeroed = false
    isMapped = true
  }
  #endif

  deinit {
    // Sound: as it was made, and nobody refers to it any more.
    #if os(Linux)
    if isMapped { return SpareMemory.keep(unsafe SpareMemory.Space(base: base, size: size)) }
    #endif
    unsafe Self.release(base)
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
