/// A reason why a value cannot be decoded, with no more than it takes to say so: cheap to throw and to catch.
///
/// ``DecoderFrame/error(_:decoding:at:)`` makes the error of it that users see.
enum DecodingFault: Error {
  /// The dictionary does not have the key.
  case missingKey
  /// The array has no more elements.
  case atEnd
  /// The value of the given node is null.
  case null(Int)
  /// The value of the given node is of another kind.
  case mismatch(Int)
  /// The number of the given node is not one of the type.
  case misfit(Int)
  /// An element of the value is wrong; the way through the containers says which.
  case undecided
  /// The document is at fault.
  case document(PlistError)
}
