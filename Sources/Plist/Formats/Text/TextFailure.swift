#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

typealias TextFailure = ReadFailure<TextFailureReason>

/// Why OpenStep or JSON text cannot be read; ``PlistTextReader/explanation(of:in:)`` has the messages.
enum TextFailureReason {
  /// The text ends here; `detail` is where the incomplete part begins.
  case endOfInput
  /// A character other than what ``TextExpectation`` allows here.
  case unexpected
  case trailingContent
  /// `detail` is the offset after the escape.
  case invalidEscape
  /// A surrogate without its other half; `detail` is the offset after the escape.
  case unpairedSurrogate
  /// An unescaped control character in a JSON string.
  case controlCharacter
  /// Something other than a hexadecimal digit in data between `<` and `>`.
  case hexDigit
  /// A byte with only one hexadecimal digit in data between `<` and `>`.
  case halfByte
  /// A word that isn't valid in JSON; `detail` is the offset after it.
  case unknownWord
  /// An invalid number or GNUstep typed value; `detail` is the offset after it.
  case invalidInteger, integerOverflow, invalidReal, realOverflow, invalidBoolean, invalidData
  case invalidDate, dateFieldOutOfRange, dateTooFar
  /// A GNUstep typed value with an unknown letter after `<*`.
  case unknownType
  case depth
  case tooManyValues
}

extension PlistTextReader {
  func error(for failure: TextFailure, in source: PlistSource) -> PlistError {
    // If the text ends between two values, the error has the path of their container.
    let isBetween = failure.reason == .endOfInput && failure.detail == containers.open.last?.opened
    let isBehind = expected == .elementEnd || expected == .pairEnd
    let path = containers.path(in: source, to: isBetween ? .container : isBehind ? .lastValue : .value)
    return failure.error(
      explanation(of: failure, in: source), format: Self.format, path: path, in: source,
      isFormatDoubtful: isFormatDoubtful(after: failure, in: source))
  }

  private func explanation(of failure: TextFailure, in source: PlistSource) -> (PlistError.Code, String) {
    var found: String { source.character(at: failure.offset) }
    var value: String { failure.quotation(in: source) }
    switch failure.reason {
    case .endOfInput: return (.truncated, truncation(failure, in: source))
    case .unexpected:
      let hint =
        isInWord(at: failure.offset, in: source.data.bytes)
        ? "; text with characters other than letters, digits and _$/:.- needs quotation marks" : ""
      if let summary = byteSummary(at: failure.offset, in: source.data.bytes) {
        return (.unexpectedCharacter, summary)
      }
      let more = hint.isEmpty ? self.hint(at: failure.offset, in: source) : hint
      return (.unexpectedCharacter, "expected \(expectation)\(context(in: source)), found \(found)\(more)")
    case .trailingContent: return (.trailingContent, "found \(found) after the end of the property list")
    case .invalidEscape: return (.invalidEscape, "\(value) is not a valid escape")
    case .unpairedSurrogate: return (.invalidText, "\(value) is an unpaired surrogate")
    case .controlCharacter: return (.invalidText, "\(found) must be written as an escape in a string")
    case .hexDigit: return (.invalidData, "\(found) is not a hexadecimal digit")
    case .halfByte:
      return (.invalidData, "expected a second hexadecimal digit; each byte of data has two digits")
    case .unknownWord: return (.unexpectedCharacter, "\(value) is not a value; strings need quotation marks")
    case .invalidInteger: return (.invalidInteger, "\(value) is not an integer")
    case .integerOverflow: return (.invalidInteger, "\(value) is not in the range of -2^63 to 2^64 - 1")
    case .invalidReal: return (.invalidReal, "\(value) is not a number")
    case .realOverflow: return (.invalidReal, "the number \(value) is too large for a double")
    case .invalidBoolean: return (.unexpectedCharacter, "\(value) is not a boolean; a boolean is Y or N")
    case .invalidDate: return (.invalidDate, "\(value) is not a date of the form 2001-01-01 00:00:00 +0000")
    case .dateFieldOutOfRange: return (.invalidDate, "\(value) is not a valid date")
    case .dateTooFar: return (.invalidDate, "the date \(value) is too far from the year 2001")
    case .invalidData: return (.invalidData, "\(value) is not base64")
    case .unknownType:
      return (.unexpectedCharacter, "\(value) is not a typed value; typed values begin with <*I, <*R, <*B or <*D")
    case .depth: return (.depthLimit, PlistError.depthMessage(containers.depthLimit))
    case .tooManyValues: return (.expandedObjectsLimit, PlistError.valueCountMessage(containers.valueLimit))
    }
  }

  private func truncation(_ failure: TextFailure, in source: PlistSource) -> String {
    // A dictionary without braces begins with a key, so the message has no opening brace to refer to.
    let isInTable = isInStringsTable && failure.detail == containers.open.last?.opened
    guard failure.detail < source.data.bytes.byteCount, !isInTable else {
      return containers.open.isEmpty && expected == .value
        ? "the document ends before any value" : "expected \(expectation)\(context(in: source)), but the document ends"
    }
    return "the document ends inside \(construct(at: failure.detail, in: source))"
  }

  /// Describes what begins at `offset`, with the line number if it can span several lines.
  private func construct(at offset: Int, in source: PlistSource) -> String {
    let line = source.position(of: offset).line
    switch source.data.bytes.byte(at: offset) {
    case 0x7B: return "the dictionary that begins on line \(line)"
    case 0x28, 0x5B: return "the array that begins on line \(line)"
    case 0x3C: return "the data that begins on line \(line)"
    case 0x5C: return "an escape"
    case 0x22, 0x27: return "the string that begins on line \(line)"
    case 0x2D, 0x30...0x39: return "a number"
    default: return "a word"
    }
  }

  /// Returns the part of a message that names the key before the error, if there is one.
  private func context(in source: PlistSource) -> String {
    guard let container = containers.open.last, container.isDictionary else { return "" }
    let key = source.data.bytes.decodedText(container.key).shownInMessages()
    switch expected {
    case .keyEnd: return " after the key \"\(key)\""
    case .value: return " for the key \"\(key)\""
    case .pairEnd: return " after the value of \"\(key)\""
    default: return ""
    }
  }

  /// Whether an unquoted OpenStep word is followed, at `offset`, by a character that needs quotation marks.
  private func isInWord(at offset: Int, in bytes: RawSpan) -> Bool {
    guard Self.format == .openStep, offset > 0, bytes.byte(at: offset - 1).isWordCharacter else { return false }
    return !"{}()<>=;,\"' \t\r\n".utf8.contains(bytes.byte(at: offset))
  }

  /// Returns a message if the failure is in data as `defaults read` prints it: `{length = 3125, bytes = 0x62706c69 …
  /// }`.
  private func byteSummary(at offset: Int, in bytes: RawSpan) -> String? {
    guard Self.format == .openStep, let opened = containers.open.last?.opened, opened < bytes.byteCount,
      ByteSummary.begins(bytes, at: opened), bytes.hasBytes(", bytes = 0x", at: offset)
    else { return nil }
    return ByteSummary.message
  }

  /// Returns a hint at what may explain an unexpected character: a brace in a comment, a typographic quotation mark, or
  /// a property list after other text.
  private func hint(at offset: Int, in source: PlistSource) -> String {
    let bytes = source.data.bytes
    guard Self.format == .openStep, offset < bytes.byteCount else { return "" }
    if bytes.byte(at: offset) == 0x7D, isInStringsTable, bytes.hasBytes("//", at: 0) {
      let end = bytes.firstOffset(of: 0x0A, from: 0)
      if bytes.firstOffset(of: 0x7B, from: 0, to: end) < end { return "; the '{' on line 1 is part of a comment" }
    }
    if InvisibleCharacter.isQuotationMark(bytes, at: offset) || InvisibleCharacter.isApostrophe(bytes, at: offset) {
      return "; it is a typographic quotation mark, and a quotation mark is \" or '"
    }
    if let next = beginning(after: offset, in: bytes) {
      return "; a property list seems to begin on line \(source.position(of: next).line), after other text"
    }
    return ""
  }

  /// Returns where a property list begins after prose that was mistaken for OpenStep text, or nil if there is none.
  private func beginning(after offset: Int, in bytes: RawSpan) -> Int? {
    guard isInTableOfWords(of: bytes), expected == .keyEnd, containers.open.first?.count == 0 else { return nil }
    return DocumentBeginning.next(in: bytes, after: offset)
  }

  /// Whether the format was detected and may be wrong.
  ///
  /// Prose, archives, and settings such as `[server]` or `port = 80` begin with a word or a bracket, so they can be
  /// mistaken for OpenStep text or JSON.
  private func isFormatDoubtful(after failure: TextFailure, in source: PlistSource) -> Bool {
    guard source.isFormatDetected else { return false }
    let bytes = source.data.bytes
    switch failure.reason {
    case .unknownWord, .invalidReal, .invalidInteger:
      return Self.format == .json
        && (0..<failure.offset).allSatisfy { bytes.byte(at: $0) == 0x5B || bytes.byte(at: $0).isSpace }
    case .unexpected where !hint(at: failure.offset, in: source).isEmpty: return false
    case .unexpected: return isInTableOfWords(of: bytes) && !isSecondOfTwoWords(at: failure.offset, in: bytes)
    case .endOfInput: return isInTableOfWords(of: bytes) && expected == .pairEnd
    default: return false
    }
  }

  /// Whether the innermost container is a dictionary without braces whose first key has no quotation marks.
  private func isInTableOfWords(of bytes: RawSpan) -> Bool {
    guard isInStringsTable, let table = containers.open.first else { return false }
    return table.opened < bytes.byteCount && bytes.byte(at: table.opened).isLetterOrDigit
  }

  /// Whether the document is just two words, which may be a string without its quotation marks.
  private func isSecondOfTwoWords(at offset: Int, in bytes: RawSpan) -> Bool {
    guard expected == .keyEnd, bytes.byte(at: offset).isWordCharacter else { return false }
    var end = offset
    while end < bytes.byteCount, bytes.byte(at: end).isWordCharacter { end += 1 }
    while end < bytes.byteCount, bytes.byte(at: end).isSpace { end += 1 }
    return end == bytes.byteCount
  }
}

extension UInt8 {
  var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  fileprivate var isSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }
}

/// The text that `defaults read` and debuggers print for longer data, with most of the bytes left out.
package enum ByteSummary {
  static func begins(_ bytes: RawSpan, at offset: Int) -> Bool {
    guard bytes.hasBytes("{length = ", at: offset) else { return false }
    var end = offset + 10
    while end < bytes.byteCount, bytes.byte(at: end) &- 0x30 < 10 { end += 1 }
    return end > offset + 10 && bytes.hasBytes(", bytes = 0x", at: end)
  }

  /// Whether the document may contain a summary of data; UTF-16 is not searched.
  static func mayOccur(in bytes: RawSpan) -> Bool {
    var offset = bytes.firstOffset(of: 0x7B, from: 0)
    while offset < bytes.byteCount {
      if begins(bytes, at: offset) { return true }
      offset = bytes.firstOffset(of: 0x7B, from: offset + 1)
    }
    return false
  }

  /// Whether a string consists entirely of a summary of data.
  static func isWhole(_ token: PlistToken, in bytes: RawSpan) -> Bool {
    guard token.form.isPlainUTF8, token.count > 24 else { return false }
    return begins(bytes, at: token.range.lowerBound) && bytes.byte(at: token.range.upperBound - 1) == 0x7D
  }

  static let message =
    "found the shortened output of \"defaults read\" for data: most of the bytes are not in the document"
}
