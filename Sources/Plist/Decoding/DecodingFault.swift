/// A reason why a value cannot be decoded; a fault takes less time to throw and to catch than a `DecodingError`.
///
/// ``DecoderFrame/error(_:decoding:at:)`` converts a fault to the error that the caller receives.
enum DecodingFault: Error {
  case missingKey
  case atEnd
  /// The value at the given node is null, but the requested type does not accept null.
  case null(Int)
  /// The value at the given node has a type other than the requested type.
  case mismatch(Int)
  /// The requested type cannot represent the number at the given node.
  case misfit(Int)
  /// The value cannot be decoded directly, for example because an element has the wrong type.
  ///
  /// The decoder decodes the value again through decoding containers, which report the exact error.
  case undecided
  /// The document is invalid, or exceeds a limit.
  case document(PlistError)
  /// The value at a node cannot be read; the path in the error begins at the node.
  case malformed(PlistError)

  /// The error of an invalid document or of an exceeded limit; nil for all other faults.
  var documentError: PlistError? {
    switch self {
    case .document(let error), .malformed(let error): error
    default: nil
    }
  }
}
