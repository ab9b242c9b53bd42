/// Bytes that something else keeps alive, in place and unchanged.
///
/// A decoder looks at the bytes of its document for every value; this saves the way through `Data` each time.
///
/// Sound under the condition that whoever makes one holds the ``PlistSource`` for as long as it is used: a source's bytes
/// neither move nor change.
@safe struct BorrowedBytes {
  private let start: UnsafeRawPointer?
  let count: Int

  /// No bytes.
  init() {
    unsafe start = nil
    count = 0
  }

  /// The bytes of an array that something else keeps alive and unchanged.
  init(_ array: [UInt8]) {
    unsafe start = array.withUnsafeBufferPointer { unsafe UnsafeRawPointer($0.baseAddress) }
    count = array.count
  }

  init(_ source: PlistSource) {
    let buffer = unsafe source.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe $0 } }
    unsafe start = buffer.baseAddress
    count = buffer.count
  }

  /// Calls `body` with the bytes.
  @inline(__always)
  func withSpan<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    let buffer = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return try body(unsafe buffer.bytes)
  }
}
