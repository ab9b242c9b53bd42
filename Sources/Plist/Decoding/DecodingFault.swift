/// A reason why a value cannot be decoded, which is cheap to throw and to catch.
///
/// ``DecoderFrame/error(_:decoding:at:)`` converts a fault to the error that the caller receives.
enum DecodingFault: Error {
  /// The dictionary does not have the key.
  case missingKey
  /// The array has no more elements.
  case atEnd
  /// The value of the given node is null.
  case null(Int)
  /// The value of the given node is of another kind.
  case mismatch(Int)
  /// The type cannot hold the number of the given node.
  case misfit(Int)
  /// An element of the value is wrong, and decoding it through containers finds which.
  case undecided
  /// The document is invalid, or exceeds a limit.
  case document(PlistError)
}
