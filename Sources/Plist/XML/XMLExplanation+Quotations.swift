#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension XMLExplanation {
  /// Returns the name and line of the construct that begins at `offset`, such as `the <dict> that begins on line 9`.
  func construct(at offset: Int) -> String {
    let line = source.position(of: offset).line
    if let landmark = source.landmark(at: offset) { return "the \(landmark.tag) that begins on line \(line)" }
    let bytes = source.data.bytes
    if bytes.hasBytes("&", at: offset) { return "a reference" }
    if let name = nameOfMarkup(at: offset) { return "the \(name) that begins on line \(line)" }
    let isUnclosed = bytes.firstOffset(of: 0x3E, from: offset) == bytes.byteCount
    return "the \(isUnclosed ? "tag" : quotedTag(at: offset)) that begins on line \(line)"
  }

  /// Returns the name of the markup at `offset`, such as "comment", or nil if the markup is a tag.
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

  /// Returns the tag at `offset`, or a description of other content, such as "a comment" or "text".
  func content(at offset: Int) -> String {
    let bytes = source.data.bytes
    guard offset < bytes.byteCount, bytes.byte(at: offset) == 0x3C else { return "text" }
    if let name = nameOfMarkup(at: offset) { return name == "XML declaration" ? "an \(name)" : "a \(name)" }
    let tag = quotedTag(at: offset)
    return tag == "<>" ? "a '<'" : tag
  }

  /// Returns the tag at `offset` without attributes, such as `<dict>` or `</dict>`.
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
    return "<\(source.printable(offset + 1..<end))>"
  }

  /// The closing tag that the open element needs.
  var closingTag: String { "</\(quotedTag(at: failure.detail).dropFirst())" }

  func namesElementInOtherCase(_ tag: String) -> Bool {
    let name = tag.dropFirst().dropLast()
    return XMLElement.all.contains { $0.name.description == name.lowercased() && $0.name.description != name }
  }

  /// Returns whether the closing tag `tag` has the name of the open element.
  func closesByName(_ tag: String) -> Bool {
    "<\(tag.dropFirst(2))" == quotedTag(at: failure.detail)
  }

  var isInText: Bool { ["<string>", "<key>"].contains(quotedTag(at: failure.detail)) }

  /// Whether a comment or a processing instruction is at the position of the failure.
  var isAtComment: Bool {
    let bytes = source.data.bytes
    return bytes.hasBytes("<!--", at: failure.offset) || bytes.hasBytes("<?", at: failure.offset)
  }

  var misplacedDeclaration: String {
    switch nameOfMarkup(at: failure.offset) {
    case "DOCTYPE": return "a DOCTYPE is allowed only before the property list"
    case "CDATA section": return "a CDATA section is allowed only inside <string>, <key> and <real>"
    default: return "\(quotedTag(at: failure.offset)) is neither a comment nor a DOCTYPE"
    }
  }

  var invalidReference: String {
    let bytes = source.data.bytes
    let start = failure.offset
    let bound = min(bytes.byteCount, start + 40)
    var end = start + 1
    while end < bound, Self.isInReference(bytes.byte(at: end)) { end += 1 }
    guard end > start + 1 else {
      return "found an '&' that does not begin a reference; an '&' in text is written &amp;"
    }
    guard end < bytes.byteCount, bytes.byte(at: end) == 0x3B else {
      return "the reference \(source.quotation(start..<end)) has no ';' at its end; an '&' in text is written &amp;"
    }
    let reference = source.quotation(start..<end + 1)
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

  var valueText: String { source.quotation(failure.offset..<max(failure.offset, failure.detail)) }

  func notValue(_ element: String, _ expected: String) -> String {
    failure.detail > failure.offset
      ? "\(valueText) is not \(expected)" : "expected \(expected), but \(element) is empty"
  }
}
