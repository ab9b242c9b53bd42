typealias XMLFailure = ReadFailure<XMLFailureReason>

/// The reasons why XML cannot be read.
enum XMLFailureReason {
  /// The bytes end at the position of the failure; `detail` is the offset of the incomplete construct.
  case endOfInput
  case emptyDocument
  /// Text at a position that allows only markup and white space.
  case unexpectedText
  /// Content inside `<true>` or `<false>`; `detail` is the offset of the element's opening tag.
  case textInBoolean
  case unknownElement, malformedTag, markupInAttribute, emptyTag
  /// A `<!` that opens neither a comment nor an allowed document type.
  case misplacedDeclaration
  case internalSubset
  /// A `<` that does not begin a closing tag, within text or a scalar; `detail` is the offset of the element's
  /// opening tag.
  case elementInText
  /// A closing tag that does not match the opening tag; `detail` is the offset of the opening tag.
  case mismatchedTag
  case unopenedTag
  case secondValue, emptyPropertyList, missingValue, missingKey
  case trailingContent
  case nul, invalidUTF8, invalidReference, nulReference
  case invalidInteger, integerOverflow, invalidReal, invalidDate, dateFieldOutOfRange, dateTooFar
  case base64Character, base64Padding, base64Incomplete
  /// The tag `<data/>`, which is not allowed, although `<data></data>` is allowed.
  case emptyData
  case invalidUID
  case depth
  case tooManyValues
}
