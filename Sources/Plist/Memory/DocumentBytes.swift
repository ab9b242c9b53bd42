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

/// The bytes of a document, quick to reach for the thread that decodes it.
///
/// `Data.bytes` takes 214 instructions, and a decoder needs the bytes three times for each value. That was 32 % of
/// binary → model and 18 % of XML → model. ``whileOpen(_:)`` looks them up once, for its own thread and as long as it
/// runs. Calls from other threads, and later calls, take the bytes from the data.
@safe struct DocumentBytes: ~Copyable, Sendable {
  private let data: Data
  private let count: Int
  /// The thread within ``whileOpen(_:)``; 0 if there is none.
  private let owner = Atomic<UInt>(0)
  /// The address of the bytes for that thread.
  private let address = Atomic<UInt>(0)

  init(_ data: Data) {
    self.data = data
    count = data.count
  }

  /// Calls `body`, in which this thread reaches the bytes quickly.
  ///
  /// It makes no difference, but for the time, if a thread is within such a call already.
  func whileOpen<Result>(_ body: () throws -> Result) rethrows -> Result {
    let (isFirst, _) = owner.compareExchange(expected: 0, desired: Self.thread, ordering: .acquiring)
    guard isFirst else { return try body() }
    return try unsafe data.withUnsafeBytes { bytes in
      address.store(UInt(bitPattern: bytes.baseAddress), ordering: .relaxed)
      defer {
        address.store(0, ordering: .relaxed)
        // After the address is gone, for the next owner.
        owner.store(0, ordering: .releasing)
      }
      return try body()
    }
  }

  /// Calls `body` with the bytes.
  @inline(__always)
  func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    let start = owner.load(ordering: .relaxed) == Self.thread ? address.load(ordering: .relaxed) : 0
    // Sound: only this thread has written its number, and it removes it before the closure ends for which the pointer
    // is valid. So this call is within that closure. The data is constant, and has as many bytes as when it was
    // counted.
    let open = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: start), count: start == 0 ? 0 : count)
    // Not two calls of `body`: it would be compiled twice, and with closures that retain what they use.
    let bytes = start == 0 ? data.bytes : unsafe open.bytes
    return try body(bytes)
  }

  /// A number that only the current thread has as long as it runs, and that is not 0.
  @inline(__always)
  private static var thread: UInt {
    #if canImport(Glibc) || canImport(Android)
    UInt(truncatingIfNeeded: pthread_self())
    #else
    unsafe UInt(bitPattern: pthread_self())
    #endif
  }
}
