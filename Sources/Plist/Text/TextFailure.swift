/// A failure while OpenStep or JSON text is read: what, where, and one more number; made into a message only where it
/// is reported.
struct TextFailure: Error {
  enum Reason {
    /// The document ends here; `detail` is the offset of the construct that is cut off.
    case endOfInput
    /// A character that may not stand where it does: the reader knows what may.
    case unexpected
    case trailingContent
    /// A backslash with what follows it up to `detail`.
    case invalidEscape
    /// Half of a surrogate pair, by escapes, up to `detail`.
    case unpairedSurrogate
    /// A control character in a JSON string.
    case controlCharacter
    /// What is no hexadecimal digit in `<…>`.
    case hexDigit
    /// A hexadecimal digit in `<…>` without its other half.
    case halfByte
    /// An unquoted word in JSON that is none of its own; `detail` is its end.
    case unknownWord
    /// A number that is none, or a value of GNUstep's; `detail` is its end.
    case invalidInteger, integerOverflow, invalidReal, realOverflow, invalidBoolean, invalidDate, invalidData
    /// `<*` with a letter that GNUstep does not know.
    case unknownType
    case depth
    case tooManyValues
  }

  var reason: Reason
  /// The place of the failure, in bytes of the window.
  var offset: Int
  /// A second place; see ``Reason``.
  var detail: Int

  init(_ reason: Reason, at offset: Int, detail: Int = 0) {
    self.reason = reason
    self.offset = offset
    self.detail = detail
  }
}

/// What may come next in OpenStep or JSON text.
enum TextExpectation: UInt8 {
  /// A value, and nothing else.
  case value
  /// An element, or the end of the array.
  case firstElement
  /// The comma or end behind an element.
  case elementEnd
  /// A key, or the end of the dictionary.
  case firstKey
  /// A key, and nothing else.
  case key
  /// What is between a key and its value.
  case keyEnd
  /// What is behind the value of a key.
  case pairEnd
  /// Nothing but white space.
  case end
}
