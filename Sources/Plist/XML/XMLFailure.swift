/// A failure while XML is read: what, where, and one more number; made into a message only where it is reported.
struct XMLFailure: Error {
  enum Reason {
    /// The window ends here; `detail` is the offset of the construct that is cut off.
    case endOfInput
    case emptyDocument
    /// Bytes that are neither markup nor white space where only these may stand.
    case unexpectedText
    /// Anything inside `<true>` or `<false>`; `detail` is the offset of its tag.
    case textInBoolean
    case unknownElement, malformedTag, markupInAttribute, emptyTag
    /// `<!` that opens no comment, or a document type where none may stand.
    case misplacedDeclaration
    case internalSubset
    /// `<` within text or a scalar, of something that is no closing tag; `detail` is the offset of the open one.
    case elementInText
    /// A closing tag for which another was open; `detail` is the offset of the open one.
    case mismatchedTag
    /// A closing tag where nothing is open.
    case unopenedTag
    case secondValue, emptyPropertyList, missingValue, missingKey
    case trailingContent
    case nul, invalidUTF8, invalidReference, nulReference
    case invalidInteger, integerOverflow, invalidReal, invalidDate, dateFieldOutOfRange, dateTooFar
    case base64Character, base64Padding, base64Incomplete
    /// An empty element, as opposed to an element without digits.
    case emptyData
    case invalidUID
    case depth
    case tooManyValues
  }

  var reason: Reason
  /// The place of the failure, in bytes of the window.
  var offset: Int
  /// A second place, or a number; see ``Reason``.
  var detail: Int

  init(_ reason: Reason, at offset: Int, detail: Int = 0) {
    self.reason = reason
    self.offset = offset
    self.detail = detail
  }
}
