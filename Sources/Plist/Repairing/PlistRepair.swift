/// A repair of malformed text in a document: the error and the replacement of the text.
///
/// ``RepairedPropertyList`` reports the repairs of a document. The description of a repair contains the position of the
/// malformed text:
///
/// ```
/// line 4, column 9: "2001-02-30T00:00:00Z" is not a valid date (key path: created); read as 2001-03-02T00:00:00Z
/// ```
public struct PlistRepair: Sendable {
  /// The error that a reader throws for the malformed text if the reader does not repair documents.
  ///
  /// The error has the position of the malformed text and the ``PlistError/path`` of the value. The
  /// ``PlistError/message`` of the error quotes the malformed text.
  public let error: PlistError

  /// The replacement of the malformed text, such as `U+0000`, `2001-03-02T00:00:00Z` or `data of 3 bytes`.
  public let replacement: String

  /// A copy of the error whose message also contains the replacement.
  package var warning: PlistError { error.with(message: "\(error.message); read as \(replacement)") }
}

extension PlistRepair: CustomStringConvertible {
  /// The position, the message and the path of the error, and the replacement of the malformed text.
  public var description: String { "\(error); read as \(replacement)" }
}
