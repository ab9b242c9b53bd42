#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct XMLExplanation {
  var code: PlistError.Code = .malformedMarkup
  var message = ""
  /// Whether the failure is in the value that is being read, and not in the container of this value.
  var isInValue = false

  let failure: XMLFailure
  let source: PlistSource
  private let reader: XMLReader

  init(_ failure: XMLFailure, reader: XMLReader, source: PlistSource) {
    self.failure = failure
    self.reader = reader
    self.source = source
    if explainMarkup() || explainStructure() { return }
    isInValue = true
    if !explainText() { explainValue() }
  }

  private mutating func explainMarkup() -> Bool {
    let tag = quotedTag(at: failure.offset)
    switch failure.reason {
    case .endOfInput:
      (code, message) = (.truncated, "the document ends inside \(construct(at: failure.detail))")
      isInValue = isInScalar
    case .unknownElement:
      (code, message) = (.unknownElement, "\(tag) is not an element of a property list")
      if namesElementInOtherCase(tag) { message += "; names of elements are in lower case" }
      isInValue = true
    case .malformedTag: message = "expected a '>' at the end of a tag, found a '<'"
    case .markupInAttribute: message = "an attribute value cannot contain '<' or '>'; write &lt; or &gt;"
    case .emptyTag: message = "found a tag without a name; a '<' in text is written &lt;"
    case .misplacedDeclaration: message = misplacedDeclaration
    case .internalSubset:
      message = "a DOCTYPE with declarations in brackets (an internal subset) is not allowed in property lists"
    case .elementInText:
      code = .unexpectedElement
      message = "\(content(at: failure.offset)) is not allowed inside \(construct(at: failure.detail))"
      if isInText, !isAtComment { message += "; a '<' in text is written &lt;" }
      isInValue = true
    case .mismatchedTag:
      (code, message) = (.mismatchedTag, "expected \(closingTag) for \(construct(at: failure.detail)), found \(tag)")
      if closesByName(tag) { message = "the closing tag \(tag) contains more than a name" }
      isInValue = isInScalar
    case .unopenedTag: (code, message) = (.mismatchedTag, "\(tag) has no opening tag")
    default: return false
    }
    return true
  }

  private mutating func explainStructure() -> Bool {
    let tag = quotedTag(at: failure.offset)
    switch failure.reason {
    case .emptyDocument: (code, message) = (.truncated, "the document ends before any value")
    case .unexpectedText:
      (code, message) = (.unexpectedText, "expected a tag, found \(source.character(at: failure.offset))")
    case .textInBoolean:
      code = .unexpectedText
      let (found, element) = (source.character(at: failure.offset), construct(at: failure.detail))
      message = "\(found) is not allowed inside \(element), because this element must be empty"
      isInValue = true
    case .secondValue:
      (code, message) = (
        .unexpectedElement, "found a second root value, \(tag); a property list has only one root value"
      )
    case .emptyPropertyList: (code, message) = (.missingValue, "the <plist> has no value")
    case .missingValue:
      (code, message) = (.missingValue, "expected a value for the key \(keyText), found \(tag)")
    case .missingKey: (code, message) = (.missingKey, "expected a <key> in a <dict>, found \(tag)")
    case .trailingContent:
      (code, message) = (.trailingContent, "found \(content(at: failure.offset)) after the end of the property list")
    case .depth:
      (code, message) = (.depthLimit, "containers nest deeper than the limit of \(reader.depthLimit) levels")
      isInValue = true
    case .tooManyValues:
      code = .expandedObjectsLimit
      message = "the document has more values than the limit of \(reader.valueLimit)"
      isInValue = true
    default: return false
    }
    return true
  }

  private mutating func explainText() -> Bool {
    switch failure.reason {
    case .nul: (code, message) = (.invalidText, "found a NUL byte, which XML does not allow")
    case .nulReference: (code, message) = (.invalidText, "found a reference to NUL, which XML does not allow")
    case .invalidUTF8:
      let byte = source.data.bytes.byte(at: failure.offset)
      (code, message) = (.invalidText, "byte 0x\(byte.hexadecimalDigits) is not valid UTF-8 here")
    case .invalidReference: (code, message) = (.invalidReference, invalidReference)
    default: return false
    }
    return true
  }

  private mutating func explainValue() {
    switch failure.reason {
    case .invalidInteger: (code, message) = (.invalidInteger, notValue("<integer>", "an integer"))
    case .integerOverflow:
      (code, message) = (.invalidInteger, "\(valueText) is not in the range of -2^63 to 2^64 - 1")
    case .invalidReal: (code, message) = (.invalidReal, notValue("<real>", "a real number"))
    case .invalidDate: (code, message) = (.invalidDate, notValue("<date>", "a date of the form 2001-01-01T00:00:00Z"))
    case .dateFieldOutOfRange: (code, message) = (.invalidDate, "\(valueText) is not a valid date")
    case .dateTooFar:
      (code, message) = (.invalidDate, "the date \(valueText) is too far from the year 2001 to be exact in seconds")
    case .base64Character:
      (code, message) = (.invalidData, "\(source.character(at: failure.offset)) is not a base64 digit")
    case .base64Padding:
      let isPadding = source.data.bytes.byte(at: failure.offset) == 0x3D
      (code, message) = (
        .invalidData, isPadding ? "found a '=' where base64 needs no padding" : "found base64 digits after the padding"
      )
    case .base64Incomplete:
      (code, message) = (.invalidData, "the last group of base64 digits is incomplete; pad it with '='")
    case .emptyData: (code, message) = (.invalidData, "<data/> is not allowed; write <data></data> for empty data")
    case .invalidUID:
      (code, message) = (.invalidUID, "the value of the key CF$UID must be an integer from 0 to 4294967295")
    default: message = "malformed markup"
    }
  }

  private var isInScalar: Bool {
    let bytes = source.data.bytes
    guard failure.detail != reader.top.opened, failure.detail >= 0, failure.detail + 1 < bytes.byteCount else {
      return false
    }
    let second = bytes.byte(at: failure.detail + 1)
    return bytes.hasBytes("<![CDATA[", at: failure.detail) || (second != 0x21 && second != 0x3F)
  }

  private var keyText: String { "\"\(source.text(ofKey: reader.top.key).shownInMessages())\"" }
}
