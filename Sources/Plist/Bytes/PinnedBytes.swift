#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a `Data`, looked up once instead of at each access.
@safe struct PinnedBytes: @unchecked Sendable {
  /// The data, which keeps its bytes where they are unless it is short.
  let data: Data
  /// A copy of data so short that its bytes may lie within the `Data` value itself.
  private let copy: ByteBuffer?
  private let start: UnsafeRawPointer?
  private let count: Int

  /// More than any `Data` value holds within itself.
  private static let inlineCount = 64

  init(_ data: Data) {
    self.data = data
    count = data.count
    if count <= Self.inlineCount {
      var buffer = ByteBuffer(capacity: count)
      buffer.append(data.bytes)
      copy = buffer
      // Sound: the copy is never changed, so its storage stays.
      unsafe start = buffer.start
    } else {
      copy = nil
      // Sound: these bytes are in storage on the heap, or of a mapped file, that `data` holds a reference to. Whoever
      // changes another copy of the data gets storage of its own first, so they neither move nor change; unchecked
      // for the same reason.
      unsafe start = data.withUnsafeBytes { $0.baseAddress }
    }
  }

  /// Calls `body` with the bytes.
  @inline(__always)
  func withSpan<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    let buffer = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return try body(unsafe buffer.bytes)
  }
}
