typealias TextFailure = ReadFailure<TextFailureReason>

/// The reasons why OpenStep or JSON text cannot be read.
enum TextFailureReason {
  /// The document ends too early; `detail` is the offset at which the incomplete construct begins.
  case endOfInput
  /// A character that is not allowed at its position; ``TextExpectation`` describes the allowed characters.
  case unexpected
  case trailingContent
  /// An invalid escape; `detail` is the end offset of the escape.
  case invalidEscape
  /// An escape of a surrogate that is not part of a surrogate pair; `detail` is the end offset of the escape.
  case unpairedSurrogate
  /// A control character in a JSON string.
  case controlCharacter
  /// A character that is not a hexadecimal digit, in data between `<` and `>`.
  case hexDigit
  /// A byte with only one hexadecimal digit, in data between `<` and `>`.
  case halfByte
  /// An unknown unquoted word in JSON; `detail` is the end offset of the word.
  case unknownWord
  /// An invalid number, or an invalid typed value of GNUstep; `detail` is the end offset of the value.
  case invalidInteger, integerOverflow, invalidReal, realOverflow, invalidBoolean, invalidDate, invalidData
  /// A typed value of GNUstep that begins with `<*` and an unknown letter.
  case unknownType
  case depth
  case tooManyValues
}

/// The tokens that can come next in OpenStep or JSON text.
enum TextExpectation: UInt8 {
  case value
  /// An element of the array, or the end of the array.
  case firstElement
  /// The comma after an element, or the end of the array.
  case elementEnd
  /// A key of the dictionary, or the end of the dictionary.
  case firstKey
  case key
  /// The separator between a key and its value.
  case keyEnd
  /// The separator after the value of a key.
  case pairEnd
  /// The end of the document, after optional white space.
  case end
}
