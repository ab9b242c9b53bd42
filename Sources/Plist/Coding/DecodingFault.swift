/// Why a value cannot be decoded, with no more than it takes to say so: cheap to throw and to catch.
///
/// ``DecodingLevel/error(_:decoding:at:)`` makes of it what is reported.
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
  /// The value has to be decoded by its type's own means.
  case undecided
  /// The document is at fault.
  case document(PlistError)
}
