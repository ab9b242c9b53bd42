/// A place in a property list where the document is malformed, and what was read in its place.
///
/// ``RepairedPropertyList`` reports the repairs of a document. The description of a repair has its position:
///
/// ```
/// line 4, column 9: "2001-02-30T00:00:00Z" is not a valid date (key path: created); read as 2001-03-02T00:00:00Z
/// ```
public struct PlistRepair: Sendable {
  /// The error that reading without repairs reports for this place.
  ///
  /// The error has the ``PlistError/offset``, ``PlistError/line`` and ``PlistError/column``, the ``PlistError/path`` of
  /// the value, the ``PlistError/code``, and the ``PlistError/message`` with the malformed text.
  public let error: PlistError

  /// The replacement of the malformed text, such as `U+0000`, `2001-03-02T00:00:00Z` or `data of 3 bytes`.
  public let replacement: String

  /// The error with the replacement in its message.
  package var warning: PlistError { error.with(message: "\(error.message); read as \(replacement)") }
}

extension PlistRepair: CustomStringConvertible {
  /// The position, the message, the path and the replacement.
  public var description: String { "\(error); read as \(replacement)" }
}
