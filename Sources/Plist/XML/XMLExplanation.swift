#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a failure means to a person.
struct XMLExplanation {
  var code: PlistError.Code = .malformedMarkup
  var message = ""
  /// Whether the failure concerns the value being read, rather than the container it is in.
  var isInValue = false

  private let failure: XMLFailure
  private let source: PlistSource
  private let reader: XMLReader

  init(_ failure: XMLFailure, reader: XMLReader, source: PlistSource) {
    self.failure = failure
    self.reader = reader
    self.source = source
    if !explainStructure() { explainValue() }
  }

  /// Explains failures in the structure; false where the failure is in a value.
  private mutating func explainStructure() -> Bool {
    let tag = quotedTag(at: failure.offset)
    switch failure.reason {
    case .endOfInput:
      (code, message) = (.truncated, "the document ends inside \(construct(at: failure.detail))")
    case .emptyDocument:
      (code, message) = (.truncated, "the document ends before any value")
    case .unexpectedText:
      (code, message) = (.unexpectedText, "\(character(at: failure.offset)) where a tag is expected")
    case .unknownElement:
      (code, message) = (.unknownElement, "\(tag) is no element of a property list")
    case .malformedTag: message = "a '<' inside a tag, which is not closed before"
    case .markupInAttribute: message = "an attribute value may not hold '<' or '>'; write &lt; or &gt;"
    case .emptyTag: message = "a tag without a name; a '<' in text is written &lt;"
    case .misplacedDeclaration:
      message = "\(tag) may not stand here: only comments, processing instructions and, at the start, a DOCTYPE"
    case .internalSubset: message = "a DOCTYPE with an internal subset is not allowed in property lists"
    case .elementInText:
      code = .unexpectedElement
      message = "\(tag) inside \(construct(at: failure.detail)); a '<' in text is written &lt;"
    case .mismatchedTag:
      code = .mismatchedTag
      message = "\(tag) closes \(construct(at: failure.detail))"
    case .unopenedTag: (code, message) = (.mismatchedTag, "\(tag) closes nothing")
    case .secondValue:
      (code, message) = (.unexpectedElement, "a second value, \(tag): a property list holds one")
    case .emptyPropertyList: (code, message) = (.missingValue, "the <plist> holds no value")
    case .missingValue:
      (code, message) = (.missingValue, "\(tag) after the key \(keyText), which has no value")
    case .missingKey: (code, message) = (.missingKey, "\(tag) in a <dict> where a <key> is expected")
    case .trailingContent:
      (code, message) = (.trailingContent, "\(content(at: failure.offset)) after the property list")
    case .depth:
      code = .depthLimit
      message = "containers nest deeper than the limit of \(reader.depth)"
      isInValue = true
    case .tooManyValues:
      (code, message) = (.expandedObjectsLimit, "the document has more values than the limit allows")
    default: return false
    }
    return true
  }

  private mutating func explainValue() {
    isInValue = true
    switch failure.reason {
    case .nul: (code, message) = (.invalidText, "a NUL byte, which XML cannot hold")
    case .nulReference: (code, message) = (.invalidText, "a reference to NUL, which XML cannot hold")
    case .invalidUTF8:
      let byte = source.data.bytes.byte(at: failure.offset)
      (code, message) = (.invalidText, "byte 0x\(hexadecimal(byte)) is not valid UTF-8 here")
    case .invalidReference:
      code = .invalidReference
      message = "\(text(failure.offset..<failure.detail + 1)) is no character; an '&' in text is written &amp;"
    case .invalidInteger: (code, message) = (.invalidInteger, "\(valueText) is not an integer")
    case .integerOverflow:
      (code, message) = (.invalidInteger, "\(valueText) is not in the range of -2^63 to 2^64 - 1")
    case .invalidReal: (code, message) = (.invalidReal, "\(valueText) is not a real number")
    case .invalidDate:
      (code, message) = (.invalidDate, "\(valueText) is not a date of the form 2001-01-01T00:00:00Z")
    case .dateFieldOutOfRange:
      (code, message) = (.invalidDate, "\(valueText) is not a day and time that exists, or too far away")
    case .base64Character:
      (code, message) = (.invalidData, "\(character(at: failure.offset)) is not a base64 digit")
    case .base64Padding: (code, message) = (.invalidData, "misplaced padding, or base64 after it")
    case .base64Incomplete:
      (code, message) = (.invalidData, "the base64 is incomplete or empty: its last group is cut off")
    case .invalidUID: (code, message) = (.invalidUID, "CF$UID takes an integer from 0 to 4294967295")
    default: message = "malformed markup"
    }
  }

  /// `<dict> opened on line 9`, for whatever opens at `offset`.
  private func construct(at offset: Int) -> String {
    let line = source.place(of: offset).line
    let bytes = source.data.bytes
    if bytes.hasBytes("<!--", at: offset) { return "the comment opened on line \(line)" }
    if bytes.hasBytes("<![CDATA[", at: offset) { return "the CDATA section opened on line \(line)" }
    if bytes.hasBytes("<?", at: offset) { return "the processing instruction opened on line \(line)" }
    if bytes.hasBytes("<!", at: offset) { return "the declaration opened on line \(line)" }
    if bytes.hasBytes("&", at: offset) { return "a reference" }
    return "\(quotedTag(at: offset)) opened on line \(line)"
  }

  /// The tag at `offset` by its name: `<dict>` or `</dict>`.
  private func quotedTag(at offset: Int) -> String {
    let bytes = source.data.bytes
    guard offset < bytes.byteCount, bytes.byte(at: offset) == 0x3C else { return "text" }
    var end = offset + 1
    let bound = min(bytes.byteCount, offset + 40)
    while end < bound, !XMLScanner.isSpace(bytes.byte(at: end)), bytes.byte(at: end) != 0x3E,
      bytes.byte(at: end) != 0x2F || end == offset + 1
    {
      end += 1
    }
    return "<\(printable(offset + 1..<end))>"
  }

  private func content(at offset: Int) -> String {
    let bytes = source.data.bytes
    return offset < bytes.byteCount && bytes.byte(at: offset) == 0x3C ? quotedTag(at: offset) : "text"
  }

  private func character(at offset: Int) -> String {
    let bytes = source.data.bytes
    guard offset < bytes.byteCount else { return "the end" }
    let byte = bytes.byte(at: offset)
    guard byte >= 0x20, byte != 0x7F else { return "byte 0x\(hexadecimal(byte))" }
    let end = min(bytes.byteCount, offset + 4)
    return "'\(String(utf8: bytes, in: offset..<end).unicodeScalars.prefix(1).map(Character.init)[0])'"
  }

  private var valueText: String { text(failure.offset..<max(failure.offset, failure.detail)) }

  private var keyText: String { "\"\(source.data.bytes.decodedText(reader.top.key).prefix(60))\"" }

  /// The text in `range` in quotation marks, shortened.
  private func text(_ range: Range<Int>) -> String { "\"\(printable(range))\"" }

  private func printable(_ range: Range<Int>) -> String {
    let bytes = source.data.bytes
    let end = min(range.upperBound, bytes.byteCount)
    guard range.lowerBound < end else { return "" }
    let isLong = end - range.lowerBound > 40
    let text = String(utf8: bytes, in: range.lowerBound..<min(end, range.lowerBound + 40))
    let shown = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : String($0) }.joined()
    return isLong ? shown + "…" : shown
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }
}
