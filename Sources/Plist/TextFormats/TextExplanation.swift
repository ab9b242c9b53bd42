#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct TextExplanation<Reader: PlistTextReader> {
  var code: PlistError.Code = .unexpectedCharacter
  var message = ""

  private let failure: TextFailure
  private let source: PlistSource
  private let reader: Reader

  init(_ failure: TextFailure, reader: Reader, source: PlistSource) {
    self.failure = failure
    self.reader = reader
    self.source = source
    if !explainStructure(), !explainText() { explainValue() }
  }

  private mutating func explainStructure() -> Bool {
    let character = source.character(at: failure.offset)
    switch failure.reason {
    case .endOfInput: (code, message) = (.truncated, truncation)
    case .unexpected:
      message = "expected \(reader.expectation)\(context), found \(character)"
      if isInWord { message += "; text with characters other than letters, digits and _$/:.- needs quotation marks" }
    case .trailingContent:
      (code, message) = (.trailingContent, "found \(character) after the end of the property list")
    case .depth:
      code = .depthLimit
      message = "containers nest deeper than the limit of \(reader.containers.depthLimit) levels"
    case .tooManyValues:
      code = .expandedObjectsLimit
      message = "the document has more values than the limit of \(reader.containers.valueLimit)"
    default: return false
    }
    return true
  }

  private mutating func explainText() -> Bool {
    switch failure.reason {
    case .invalidEscape: (code, message) = (.invalidEscape, "\(quotation) is not a valid escape")
    case .unpairedSurrogate:
      (code, message) = (.invalidText, "\(quotation) is an unpaired surrogate")
    case .controlCharacter:
      let character = source.character(at: failure.offset)
      (code, message) = (.invalidText, "\(character) must be written as an escape in a string")
    case .hexDigit:
      (code, message) = (.invalidData, "\(source.character(at: failure.offset)) is not a hexadecimal digit")
    case .halfByte:
      (code, message) = (.invalidData, "expected a second hexadecimal digit; each byte of data has two digits")
    default: return false
    }
    return true
  }

  private mutating func explainValue() {
    switch failure.reason {
    case .unknownWord: message = "\(quotation) is not a value; strings need quotation marks"
    case .invalidInteger: (code, message) = (.invalidInteger, "\(quotation) is not an integer")
    case .integerOverflow: (code, message) = (.invalidInteger, "\(quotation) is not in the range of -2^63 to 2^64 - 1")
    case .invalidReal: (code, message) = (.invalidReal, "\(quotation) is not a number")
    case .realOverflow: (code, message) = (.invalidReal, "the number \(quotation) is too large for a double")
    case .invalidBoolean: message = "\(quotation) is not a boolean; a boolean is Y or N"
    case .invalidDate:
      (code, message) = (.invalidDate, "\(quotation) is not a date of the form 2001-01-01 00:00:00 +0000")
    case .invalidData: (code, message) = (.invalidData, "\(quotation) is not base64")
    case .unknownType: message = "\(quotation) is not a typed value; typed values begin with <*I, <*R, <*B or <*D"
    default: message = "malformed text"
    }
  }

  /// Whether an unquoted OpenStep word is directly followed by a character that requires quotation marks.
  private var isInWord: Bool {
    let bytes = source.data.bytes
    guard Reader.format == .openStep, failure.offset > 0, bytes.byte(at: failure.offset - 1).isWordCharacter else {
      return false
    }
    return !"{}()<>=;,\"' \t\r\n".utf8.contains(bytes.byte(at: failure.offset))
  }

  /// Whether the format was detected automatically, and the document may be in another format.
  ///
  /// Prose, archives, and settings such as `[server]` or `port = 80` begin with a word or a bracket. A file that begins
  /// with a word or a bracket can be detected as OpenStep text or JSON.
  var isFormatDoubtful: Bool {
    guard source.isFormatDetected else { return false }
    let bytes = source.data.bytes
    switch failure.reason {
    case .unknownWord, .invalidReal, .invalidInteger:
      return Reader.format == .json
        && (0..<failure.offset).allSatisfy { bytes.byte(at: $0) == 0x5B || bytes.byte(at: $0).isSpace }
    case .unexpected: return isInTableOfWords && !isSecondOfTwoWords
    case .endOfInput: return isInTableOfWords && reader.expected == .pairEnd
    default: return false
    }
  }

  /// Whether the failure is in a dictionary without braces, and the first key of this dictionary has no quotation
  /// marks.
  private var isInTableOfWords: Bool {
    guard reader.isInStringsTable, let table = reader.containers.open.first else { return false }
    return table.opened < source.data.bytes.byteCount && source.data.bytes.byte(at: table.opened).isLetterOrDigit
  }

  /// Whether the document consists of two words, which could be a string without its quotation marks.
  private var isSecondOfTwoWords: Bool {
    let bytes = source.data.bytes
    guard reader.expected == .keyEnd, bytes.byte(at: failure.offset).isWordCharacter else { return false }
    var end = failure.offset
    while end < bytes.byteCount, bytes.byte(at: end).isWordCharacter { end += 1 }
    while end < bytes.byteCount, bytes.byte(at: end).isSpace { end += 1 }
    return end == bytes.byteCount
  }

  private var quotation: String { source.quotation(failure.offset..<max(failure.offset, failure.detail)) }

  private var truncation: String {
    let bytes = source.data.bytes
    guard failure.detail < bytes.byteCount, !isInStringsTable else {
      return reader.containers.open.isEmpty && reader.expected == .value
        ? "the document ends before any value" : "expected \(reader.expectation)\(context), but the document ends"
    }
    return "the document ends inside \(construct(at: failure.detail))"
  }

  /// Returns the name of the construct that begins at `offset`, and its line if the construct can have several lines.
  private func construct(at offset: Int) -> String {
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

  /// Whether the document ends within a dictionary without an opening brace, and outside of a string or data.
  private var isInStringsTable: Bool {
    reader.isInStringsTable && failure.detail == reader.containers.open.last?.opened
  }

  /// The part of a message that names the key before the error; empty if no key precedes the error.
  private var context: String {
    guard let container = reader.containers.open.last, container.isDictionary else { return "" }
    let key = source.data.bytes.decodedText(container.key).shownInMessages()
    switch reader.expected {
    case .keyEnd: return " after the key \"\(key)\""
    case .value: return " for the key \"\(key)\""
    case .pairEnd: return " after the value of \"\(key)\""
    default: return ""
    }
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
