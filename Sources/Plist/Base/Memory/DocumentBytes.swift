#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a document, with fast access for the thread that decodes it.
///
/// `Data.bytes` takes 214 instructions, and a decoder needs the bytes three times per value. That was 32 % of the time
/// for binary and 18 % for XML. ``whilePinned(_:)`` looks up the address once, for the calling thread and the duration
/// of the call. Other threads, and calls to ``withBytes(_:)`` at other times, look it up each time.
@safe struct DocumentBytes: ~Copyable, Sendable {
  private let data: Data
  private let count: Int
  /// A number that is unique among the documents in this process.
  private let number = Self.lastNumber.withLock { number in
    number += 1
    return number
  }

  private static let lastNumber = Guarded<UInt>(0)

  /// What ``whilePinned(_:)`` stores for its thread, on the stack.
  private struct Pin {
    let document: UInt
    let address: UInt
  }

  /// The address of the thread's innermost ``Pin``.
  ///
  /// All documents share this variable. Each keeps a copy of it, because every access to a static property checks
  /// whether the property has been initialized.
  private let pin = Self.pins
  private static let pins = ThreadVariable()

  init(_ data: Data) {
    self.data = data
    count = data.count
  }

  /// Calls `body` with the bytes pinned, which gives the calling thread fast access to them until `body` returns.
  func whilePinned<Result>(_ body: () throws -> Result) rethrows -> Result {
    let pinned = pin
    guard pinnedAddress == 0 else { return try body() }
    // Sound: the variable points to the pin only while this function runs, and the pin and the address in it stay valid
    // until it returns. No other thread reads the variable.
    return try unsafe data.withUnsafeBytes { bytes in
      var pin = Pin(document: number, address: UInt(bitPattern: bytes.baseAddress))
      return try unsafe withUnsafeMutablePointer(to: &pin) { pin in
        let outer = pinned.value
        pinned.value = UInt(bitPattern: pin)
        defer { pinned.value = outer }
        return try body()
      }
    }
  }

  /// The address of the bytes if this thread has pinned them, otherwise 0.
  @inline(__always)
  private var pinnedAddress: UInt {
    // Sound: `whilePinned(_:)` stores only the addresses of valid pins.
    guard let pin = unsafe UnsafeRawPointer(bitPattern: pin.value) else { return 0 }
    let known = unsafe pin.assumingMemoryBound(to: Pin.self).pointee
    return known.document == number ? known.address : 0
  }

  @inline(__always)
  func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    let start = pinnedAddress
    // Sound: the address is valid while this thread has pinned the bytes. The document's data is constant, so `count`
    // is still the number of bytes.
    let pinned = unsafe UnsafeRawBufferPointer(
      start: UnsafeRawPointer(bitPattern: start), count: start == 0 ? 0 : count)
    // `body` is called in only one place. If there were two calls, the compiler would emit two copies of it, with
    // closures that retain their captures.
    let bytes = start == 0 ? data.bytes : unsafe pinned.bytes
    return try body(bytes)
  }
}
