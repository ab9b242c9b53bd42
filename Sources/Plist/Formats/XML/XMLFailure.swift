#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

typealias XMLFailure = ReadFailure<XMLFailureReason>

/// Why an XML document cannot be read; ``XMLReader/explanation(of:in:)`` has the messages.
enum XMLFailureReason {
  /// The bytes end here; `detail` is where the incomplete part begins.
  case endOfInput
  case emptyDocument
  /// Text where only markup and white space are allowed.
  case unexpectedText
  /// Content inside `<true>` or `<false>`; `detail` is the offset of the opening tag.
  case textInBoolean
  case unknownElement, malformedTag, markupInAttribute, emptyTag
  /// A `<!` that opens neither a comment nor an allowed document type.
  case misplacedDeclaration
  case internalSubset
  /// A `<` in text or a scalar that doesn't begin a closing tag; `detail` is the offset of the opening tag.
  case elementInText
  /// A closing tag that does not match; `detail` is the offset of the opening tag.
  case mismatchedTag
  case unopenedTag
  case secondValue, emptyPropertyList, missingValue, missingKey
  case trailingContent
  case nul, invalidUTF8, invalidReference, nulReference
  case invalidInteger, integerOverflow, invalidReal, invalidDate, dateFieldOutOfRange, dateTooFar
  /// An element that refers to another through the attribute IDREF, as the kernel writes; `detail` is the attribute's
  /// offset.
  case elementReference
  case base64Character, base64Padding, base64Incomplete
  /// `<data/>`, which is not allowed, although `<data></data>` is.
  case emptyData
  case invalidUID
  case depth
  case tooManyValues

  /// The element whose content is malformed; nil unless the fault is in how a number, date or data is written.
  ///
  /// Indexing skips an element with malformed content, lint continues after it, and the repairer gives it the value
  /// that Foundation would.
  var element: XMLElement? {
    switch self {
    case .invalidInteger, .integerOverflow: .integer
    case .invalidReal: .real
    case .invalidDate, .dateFieldOutOfRange, .dateTooFar: .date
    case .base64Character, .base64Padding, .base64Incomplete, .emptyData: .data
    default: nil
    }
  }
}

extension XMLReader {
  func error(for failure: XMLFailure, in source: PlistSource) -> PlistError {
    failure.error(
      explanation(of: failure, in: source), format: .xml,
      path: path(in: source, isValue: isInValue(failure, in: source)), in: source)
  }

  func explanation(of failure: XMLFailure, in source: PlistSource) -> (PlistError.Code, String) {
    let (offset, detail) = (failure.offset, failure.detail)
    var tag: String { source.tag(at: offset) }
    var found: String { source.character(at: offset) }
    var value: String { failure.quotation(in: source) }
    let isEmpty = detail <= offset
    // A name for the construct around the failure.
    var outer: String { source.construct(at: detail) }
    switch failure.reason {
    case .endOfInput: return (.truncated, "the document ends inside \(outer)")
    case .emptyDocument: return (.truncated, "the document ends before any value")
    case .unexpectedText: return (.unexpectedText, "expected a tag, found \(found)")
    case .textInBoolean:
      return (.unexpectedText, "\(found) is not allowed inside \(outer), because this element must be empty")
    case .unknownElement:
      let hint = XMLElement.isNamedInOtherCase(tag) ? "; names of elements are in lower case" : ""
      return (.unknownElement, "\(tag) is not an element of a property list\(hint)")
    case .malformedTag: return (.malformedMarkup, "expected a '>' at the end of a tag, found a '<'")
    case .markupInAttribute:
      return (.malformedMarkup, "an attribute value cannot contain '<' or '>'; write &lt; or &gt;")
    case .emptyTag: return (.malformedMarkup, "found a tag without a name; a '<' in text is written &lt;")
    case .misplacedDeclaration: return (.malformedMarkup, source.misplacedDeclaration(at: offset))
    case .internalSubset:
      return (
        .malformedMarkup,
        "a DOCTYPE with declarations in brackets (an internal subset) is not allowed in property lists"
      )
    case .elementInText:
      let isText = ["<string>", "<key>"].contains(source.tag(at: detail)) && !source.isComment(at: offset)
      let hint = isText ? "; a '<' in text is written &lt;" : ""
      return (.unexpectedElement, "\(source.content(at: offset)) is not allowed inside \(outer)\(hint)")
    case .mismatchedTag:
      let opening = source.tag(at: detail)
      if "<\(tag.dropFirst(2))" == opening {
        return (.mismatchedTag, "the closing tag \(tag) contains more than a name")
      }
      return (.mismatchedTag, "expected </\(opening.dropFirst()) for \(outer), found \(tag)")
    case .unopenedTag: return (.mismatchedTag, "\(tag) has no opening tag")
    case .secondValue:
      return (.unexpectedElement, "found a second root value, \(tag); a property list has only one root value")
    case .emptyPropertyList: return (.missingValue, "the <plist> has no value")
    case .missingValue:
      let key = source.text(ofKey: top.key).shownInMessages()
      return (.missingValue, "expected a value for the key \"\(key)\", found \(tag)")
    case .missingKey: return (.missingKey, "expected a <key> in a <dict>, found \(tag)")
    case .trailingContent where DocumentBeginning.isMarkup(source.data.bytes, at: offset):
      return (.trailingContent, "found \(source.content(at: offset)) of another property list after the first")
    case .trailingContent:
      return (.trailingContent, "found \(source.content(at: offset)) after the end of the property list")
    case .elementReference:
      return (.elementReference, "\(tag) \(source.reference(at: detail))")
    case .nul where top.kind == .document && top.count == 1:
      return (.invalidText, "found a NUL byte, which XML does not allow, after the end of the property list")
    case .nul: return (.invalidText, "found a NUL byte, which XML does not allow")
    case .invalidUTF8:
      return (.invalidText, "byte 0x\(source.data.bytes.byte(at: offset).hexadecimalDigits) is not valid UTF-8 here")
    case .invalidReference: return (.invalidReference, source.invalidReference(at: offset))
    case .nulReference: return (.invalidText, "found a reference to NUL, which XML does not allow")
    case .invalidInteger:
      return (.invalidInteger, isEmpty ? "expected an integer, but <integer> is empty" : "\(value) is not an integer")
    case .integerOverflow: return (.invalidInteger, "\(value) is not in the range of -2^63 to 2^64 - 1")
    case .invalidReal:
      return (.invalidReal, isEmpty ? "expected a real number, but <real> is empty" : "\(value) is not a real number")
    case .invalidDate:
      return isEmpty
        ? (.invalidDate, "expected a date of the form 2001-01-01T00:00:00Z, but <date> is empty")
        : (.invalidDate, "\(value) is not a date of the form 2001-01-01T00:00:00Z")
    case .dateFieldOutOfRange: return (.invalidDate, "\(value) is not a valid date")
    case .dateTooFar: return (.invalidDate, "the date \(value) is too far from the year 2001")
    case .base64Character: return (.invalidData, "\(found) is not a base64 digit")
    case .base64Padding:
      return source.data.bytes.byte(at: offset) == 0x3D
        ? (.invalidData, "found a '=' where base64 needs no padding")
        : (.invalidData, "found base64 digits after the padding")
    case .base64Incomplete:
      return (.invalidData, "the last group of base64 digits is incomplete; pad it with '='")
    case .emptyData: return (.invalidData, "<data/> is not allowed; write <data></data> for empty data")
    case .invalidUID: return (.invalidUID, "the value of the key CF$UID must be an integer from 0 to 4294967295")
    case .depth: return (.depthLimit, PlistError.depthMessage(depthLimit))
    case .tooManyValues: return (.expandedObjectsLimit, PlistError.valueCountMessage(valueLimit))
    }
  }

  /// Whether the failure is in the value being read rather than in its container.
  private func isInValue(_ failure: XMLFailure, in source: PlistSource) -> Bool {
    switch failure.reason {
    case .endOfInput, .mismatchedTag:
      let bytes = source.data.bytes
      guard failure.detail != top.opened, failure.detail >= 0, failure.detail + 1 < bytes.byteCount else {
        return false
      }
      let second = bytes.byte(at: failure.detail + 1)
      return bytes.hasBytes("<![CDATA[", at: failure.detail) || (second != 0x21 && second != 0x3F)
    case .malformedTag, .markupInAttribute, .emptyTag, .misplacedDeclaration, .internalSubset, .unopenedTag,
      .emptyDocument, .unexpectedText, .secondValue, .emptyPropertyList, .missingValue, .missingKey, .trailingContent:
      return false
    default: return true
    }
  }

  func path(in source: PlistSource) -> PropertyListPath { path(in: source, isValue: true) }

  private func path(in source: PlistSource, isValue: Bool) -> PropertyListPath {
    var components: [String] = []
    for (index, container) in (parents + [top]).enumerated() {
      let holdsValue = isValue || index < parents.count
      switch container.kind {
      case .document, .plist: break
      case .array: if holdsValue { components.append(String(container.count)) }
      case .dictionary: if holdsValue, container.hasKey { components.append(source.text(ofKey: container.key)) }
      }
    }
    return PropertyListPath(components: components)
  }
}

extension PlistSource {
  /// Returns the text of `key`, which is in ``landmarks`` if it is no longer in the window.
  func text(ofKey key: PlistToken) -> String {
    let offset = Int(truncatingIfNeeded: key.first)
    return offset < 0 ? landmark(at: offset)?.key ?? "" : data.bytes.decodedText(key)
  }

  /// Describes what begins at `offset` and on which line, as in `the <dict> that begins on line 9`.
  fileprivate func construct(at offset: Int) -> String {
    let line = position(of: offset).line
    if let landmark = landmark(at: offset) { return "the \(landmark.tag) that begins on line \(line)" }
    let bytes = data.bytes
    if bytes.hasBytes("&", at: offset) { return "a reference" }
    if let name = nameOfMarkup(at: offset) { return "the \(name) that begins on line \(line)" }
    let isUnclosed = bytes.firstOffset(of: 0x3E, from: offset) == bytes.byteCount
    return "the \(isUnclosed ? "tag" : tag(at: offset)) that begins on line \(line)"
  }

  /// Returns a name for the markup at `offset`, such as "comment", or nil for a tag.
  fileprivate func nameOfMarkup(at offset: Int) -> String? {
    let bytes = data.bytes
    if bytes.hasBytes("<!--", at: offset) { return "comment" }
    if bytes.hasBytes("<![CDATA[", at: offset) { return "CDATA section" }
    if bytes.hasBytes("<!DOCTYPE", at: offset) { return "DOCTYPE" }
    if bytes.hasBytes("<!", at: offset) { return "declaration" }
    if bytes.hasBytes("<?xml", at: offset) { return "XML declaration" }
    if bytes.hasBytes("<?", at: offset) { return "processing instruction" }
    return nil
  }

  /// Returns the tag at `offset`, or a name for whatever else is there, such as "a comment" or "text".
  fileprivate func content(at offset: Int) -> String {
    let bytes = data.bytes
    guard offset < bytes.byteCount, bytes.byte(at: offset) == 0x3C else { return "text" }
    if let name = nameOfMarkup(at: offset) { return name == "XML declaration" ? "an \(name)" : "a \(name)" }
    let quoted = tag(at: offset)
    return quoted == "<>" ? "a '<'" : quoted
  }

  /// Returns the tag at `offset` without attributes, such as `<dict>` or `</dict>`.
  fileprivate func tag(at offset: Int) -> String {
    if let landmark = landmark(at: offset) { return landmark.tag }
    let bytes = data.bytes
    guard offset >= 0, offset < bytes.byteCount, bytes.byte(at: offset) == 0x3C else { return "text" }
    var end = offset + 1
    let bound = min(bytes.byteCount, offset + 40)
    while end < bound, !XMLScanner.isSpace(bytes.byte(at: end)), bytes.byte(at: end) != 0x3E,
      bytes.byte(at: end) != 0x2F || end == offset + 1
    {
      end += 1
    }
    return "<\(printable(offset + 1..<end))>"
  }

  /// Returns the rest of the message about an element whose IDREF attribute is at `offset`.
  fileprivate func reference(at offset: Int) -> String {
    let bytes = data.bytes
    let equals = bytes.firstOffset(of: 0x3D, from: offset)
    let start = XMLScanner.skipSpace(bytes, from: equals + 1)
    let quote: UInt8 = start < bytes.byteCount ? bytes.byte(at: start) : 0
    let isQuoted = quote == 0x22 || quote == 0x27
    let end = isQuoted ? bytes.firstOffset(of: quote, from: start + 1) + 1 : start
    return """
      has the attribute \(printable(offset..<end)), so it stands for another element, as in property lists of the \
      kernel; such references are not read
      """
  }

  /// Whether a comment or a processing instruction begins at `offset`.
  fileprivate func isComment(at offset: Int) -> Bool {
    data.bytes.hasBytes("<!--", at: offset) || data.bytes.hasBytes("<?", at: offset)
  }

  fileprivate func misplacedDeclaration(at offset: Int) -> String {
    switch nameOfMarkup(at: offset) {
    case "DOCTYPE": return "a DOCTYPE is allowed only before the property list"
    case "CDATA section": return "a CDATA section is allowed only inside <string>, <key> and <real>"
    default: return "\(tag(at: offset)) is neither a comment nor a DOCTYPE"
    }
  }

  fileprivate func invalidReference(at start: Int) -> String {
    let bytes = data.bytes
    let bound = min(bytes.byteCount, start + 40)
    var end = start + 1
    while end < bound, Self.isInReference(bytes.byte(at: end)) { end += 1 }
    guard end > start + 1 else {
      return "found an '&' that does not begin a reference; an '&' in text is written &amp;"
    }
    guard end < bytes.byteCount, bytes.byte(at: end) == 0x3B else {
      return "the reference \(quotation(start..<end)) has no ';' at its end; an '&' in text is written &amp;"
    }
    let reference = quotation(start..<end + 1)
    guard bytes.hasBytes("&#", at: start) else {
      return """
        the reference \(reference) is unknown; the known references are &amp; &lt; &gt; &quot; &apos; \
        and numeric character references
        """
    }
    return bytes.hasBytes("&#X", at: start)
      ? "the reference \(reference) is not a valid character; the x of a hexadecimal number must be in lower case"
      : "the reference \(reference) is not a valid character"
  }

  private static func isInReference(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x23, 0x2D, 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: return true
    default: return false
    }
  }
}

extension XMLElement {
  fileprivate static func isNamedInOtherCase(_ tag: String) -> Bool {
    let name = tag.dropFirst().dropLast()
    return all.contains { $0.name.description == name.lowercased() && $0.name.description != name }
  }
}
