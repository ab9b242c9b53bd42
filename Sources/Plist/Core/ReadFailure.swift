/// An error that contains the reason why a document cannot be read, the offset of the failure, and a detail of the
/// reason.
///
/// Each reader declares a `Reason` type for the failures of its format. The error message is created only if the
/// failure is reported.
struct ReadFailure<Reason: Sendable>: Error {
  var reason: Reason
  /// The offset of the failure, in bytes from the start of the input that the reader received.
  var offset: Int
  /// An integer whose meaning depends on ``reason``, for example a second offset.
  var detail: Int

  init(_ reason: Reason, at offset: Int, detail: Int = 0) {
    self.reason = reason
    self.offset = offset
    self.detail = detail
  }
}
