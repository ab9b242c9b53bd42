#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a `Data`, looked up once instead of at each access.
@safe struct PinnedBytes: @unchecked Sendable {
  /// What keeps the bytes where they are.
  let data: Data
  private let start: UnsafeRawPointer?

  /// The longest data that may lie within the `Data` value itself, with room to spare.
  private static let inlineCount = 64

  init(_ data: Data) {
    var data = data
    if data.count <= Self.inlineCount {
      var buffer = ByteBuffer(capacity: data.count)
      buffer.append(data.bytes)
      data = buffer.data()
    }
    self.data = data
    // Sound: beyond the inline length the bytes are in storage on the heap (or of a mapped file) that `data` holds a
    // reference to. Whoever changes another copy of the data gets storage of its own first, so these bytes neither
    // move nor change; unchecked for the same reason.
    unsafe start = data.withUnsafeBytes { $0.baseAddress }
  }

  /// Calls `body` with the bytes.
  @inline(__always)
  func withSpan<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    let buffer = unsafe UnsafeRawBufferPointer(start: start, count: data.count)
    return try body(unsafe buffer.bytes)
  }
}
