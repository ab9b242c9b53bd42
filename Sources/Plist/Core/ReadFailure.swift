/// A reason why a document cannot be read, with an offset and a second number.
///
/// Each reader declares a `Reason` type for the failures of its format. The message is created only if the failure is
/// reported.
struct ReadFailure<Reason: Sendable>: Error {
  var reason: Reason
  /// The position of the failure, in bytes from the start of the bytes that the reader received.
  var offset: Int
  /// A second offset or a number, whose meaning depends on ``reason``.
  var detail: Int

  init(_ reason: Reason, at offset: Int, detail: Int = 0) {
    self.reason = reason
    self.offset = offset
    self.detail = detail
  }
}
