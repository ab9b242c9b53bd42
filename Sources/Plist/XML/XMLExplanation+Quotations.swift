#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Functions that quote parts of the document in messages, shortened and on one line.
extension XMLExplanation {
  /// Returns the name and line of the construct that begins at `offset`, such as `<dict> opened on line 9`.
  func construct(at offset: Int) -> String {
    let line = source.position(of: offset).line
    if let landmark = source.landmark(at: offset) { return "\(landmark.tag) opened on line \(line)" }
    let bytes = source.data.bytes
    if bytes.hasBytes("&", at: offset) { return "a reference" }
    if let name = nameOfMarkup(at: offset) { return "the \(name) opened on line \(line)" }
    let isUnclosed = bytes.firstOffset(of: 0x3E, from: offset) == bytes.byteCount
    return isUnclosed ? "the tag that begins on line \(line)" : "\(quotedTag(at: offset)) opened on line \(line)"
  }

  /// Returns the name of markup at `offset` that is not a tag, or nil for a tag.
  private func nameOfMarkup(at offset: Int) -> String? {
    let bytes = source.data.bytes
    if bytes.hasBytes("<!--", at: offset) { return "comment" }
    if bytes.hasBytes("<![CDATA[", at: offset) { return "CDATA section" }
    if bytes.hasBytes("<!DOCTYPE", at: offset) { return "DOCTYPE" }
    if bytes.hasBytes("<!", at: offset) { return "declaration" }
    if bytes.hasBytes("<?xml", at: offset) { return "XML declaration" }
    if bytes.hasBytes("<?", at: offset) { return "processing instruction" }
    return nil
  }

  /// Returns a description of the content at `offset`: the name of a tag, the kind of other markup, or the word "text".
  func content(at offset: Int) -> String {
    let bytes = source.data.bytes
    guard offset < bytes.byteCount, bytes.byte(at: offset) == 0x3C else { return "text" }
    if let name = nameOfMarkup(at: offset) { return name == "XML declaration" ? "an \(name)" : "a \(name)" }
    let tag = quotedTag(at: offset)
    return tag == "<>" ? "a '<'" : tag
  }

  /// Returns the tag at `offset` with only its name, such as `<dict>` or `</dict>`.
  func quotedTag(at offset: Int) -> String {
    if let landmark = source.landmark(at: offset) { return landmark.tag }
    let bytes = source.data.bytes
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

  /// Whether `tag` would be the tag of an element if its letters were in lower case.
  func namesElementInOtherCase(_ tag: String) -> Bool {
    let name = tag.dropFirst().dropLast().lowercased()
    return XMLElement.all.contains { $0.name.description == name }
  }

  /// Whether the closing tag `tag` has the name of the open element, so that the error is in the rest of the tag.
  func closesByName(_ tag: String) -> Bool {
    "<\(tag.dropFirst(2))" == quotedTag(at: failure.detail)
  }

  /// Whether the failure is inside an element that contains text, rather than a number, a date or data.
  var isInText: Bool { ["<string>", "<key>"].contains(quotedTag(at: failure.detail)) }

  /// The word for the markup at the position of the failure if it is a comment or processing instruction, or nil.
  var nameOfComments: String? {
    let bytes = source.data.bytes
    if bytes.hasBytes("<!--", at: failure.offset) { return "comments" }
    return bytes.hasBytes("<?", at: failure.offset) ? "processing instructions" : nil
  }

  /// The message for a `<!` that does not begin a comment, or is not allowed at its position.
  var misplacedDeclaration: String {
    switch nameOfMarkup(at: failure.offset) {
    case "DOCTYPE": return "a DOCTYPE is allowed only before the property list"
    case "CDATA section": return "a CDATA section is allowed only inside <string>, <key> and <real>"
    default: return "\(quotedTag(at: failure.offset)) is neither a comment nor a DOCTYPE"
    }
  }

  /// The message for the reference at the position of the failure.
  var invalidReference: String {
    let bytes = source.data.bytes
    let start = failure.offset
    let bound = min(bytes.byteCount, start + 40)
    var end = start + 1
    while end < bound, Self.isInReference(bytes.byte(at: end)) { end += 1 }
    guard end > start + 1 else { return "an '&' that does not begin a reference; write &amp; in text" }
    guard end < bytes.byteCount, bytes.byte(at: end) == 0x3B else {
      return "\(text(start..<end)) has no ';' at its end; an '&' in text is written &amp;"
    }
    let reference = text(start..<end + 1)
    guard bytes.hasBytes("&#", at: start) else {
      return """
        \(reference) is unknown; the known references are &amp; &lt; &gt; &quot; &apos; and numeric character references
        """
    }
    return bytes.hasBytes("&#X", at: start)
      ? "\(reference) is not a valid character; the x of hexadecimal numbers is in lower case"
      : "\(reference) is not a valid character"
  }

  /// Whether the byte is a letter, a digit, `#`, `-`, or not ASCII.
  private static func isInReference(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x23, 0x2D, 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: return true
    default: return false
    }
  }

  /// Returns the character at `offset`, or the byte if the character is not visible.
  func character(at offset: Int) -> String { source.character(at: offset) }

  /// The text of the invalid value, in quotation marks.
  var valueText: String { text(failure.offset..<max(failure.offset, failure.detail)) }

  /// Returns the message that the value is not `expected`, or that the element is empty.
  func notValue(_ element: String, _ expected: String) -> String {
    failure.detail > failure.offset
      ? "\(valueText) is not \(expected)" : "\(element) is empty where \(expected) is expected"
  }

  /// The text in `range` in quotation marks, shortened.
  private func text(_ range: Range<Int>) -> String { source.quotation(range) }

  /// The text in `range`, shortened, with control characters as escapes.
  private func printable(_ range: Range<Int>) -> String { source.printable(range) }

  static func hexadecimal(_ byte: UInt8) -> String { byte.hexadecimalDigits }
}
