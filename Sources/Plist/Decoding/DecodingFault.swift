/// A reason why a value cannot be decoded, which is cheap to throw and to catch.
///
/// ``DecoderFrame/error(_:decoding:at:)`` converts a fault to the error that the caller receives.
enum DecodingFault: Error {
  case missingKey
  case atEnd
  /// The value at the given node is null, but the type requires another value.
  case null(Int)
  /// The value at the given node has a type other than the requested type.
  case mismatch(Int)
  /// The requested type cannot represent the number at the given node.
  case misfit(Int)
  /// An element of the value has the wrong type; decoding the value again through containers finds the element.
  case undecided
  /// The document is invalid, or exceeds a limit.
  case document(PlistError)
}
