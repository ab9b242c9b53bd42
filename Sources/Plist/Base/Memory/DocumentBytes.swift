#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Synchronization

/// The bytes of a document, with fast access for the thread that decodes it.
///
/// `Data.bytes` takes 214 instructions, and a decoder needs the bytes three times for each value: 32 % of the time for
/// binary, and 18 % for XML. ``whilePinned(_:)`` looks up their address once, for the calling thread and the duration
/// of the call. Other threads, and ``withBytes(_:)`` outside of it, look them up each time.
@safe struct DocumentBytes: ~Copyable, Sendable {
  private let data: Data
  private let count: Int
  /// The thread in ``whilePinned(_:)``, or 0.
  private let owner = Atomic<UInt>(0)
  /// The address of the bytes, for that thread.
  private let address = Atomic<UInt>(0)

  init(_ data: Data) {
    self.data = data
    count = data.count
  }

  /// Calls `body`, and makes access to the bytes fast for the calling thread meanwhile, unless another thread has that.
  func whilePinned<Result>(_ body: () throws -> Result) rethrows -> Result {
    let (isFirst, _) = owner.compareExchange(expected: 0, desired: Self.thread, ordering: .acquiring)
    guard isFirst else { return try body() }
    return try unsafe data.withUnsafeBytes { bytes in
      address.store(UInt(bitPattern: bytes.baseAddress), ordering: .relaxed)
      defer {
        address.store(0, ordering: .relaxed)
        // Reset before `owner`: once that is 0, another thread can become the owner, and must not use the old address.
        owner.store(0, ordering: .releasing)
      }
      return try body()
    }
  }

  @inline(__always)
  func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    let start = owner.load(ordering: .relaxed) == Self.thread ? address.load(ordering: .relaxed) : 0
    // Sound: only this thread writes its identifier to `owner`, and removes it before the address becomes invalid, so
    // while `owner` is this thread, the address is valid. The data is constant, so `count` is still its size.
    let pinned = unsafe UnsafeRawBufferPointer(
      start: UnsafeRawPointer(bitPattern: start), count: start == 0 ? 0 : count)
    // `body` is called in one place only: for two, the compiler would emit two copies, with closures that retain their
    // captures.
    let bytes = start == 0 ? data.bytes : unsafe pinned.bytes
    return try body(bytes)
  }

  /// Identifies the current thread among all running ones; not 0.
  private static var thread: UInt {
    #if canImport(Glibc) || canImport(Android)
    UInt(truncatingIfNeeded: pthread_self())
    #else
    unsafe UInt(bitPattern: pthread_self())
    #endif
  }
}
