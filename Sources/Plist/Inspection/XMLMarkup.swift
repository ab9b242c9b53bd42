#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Looks for markup that property-list readers skip, but that is ill-formed to other XML parsers, such as Expat,
/// xmllint, and the parsers in codesign and the kernel.
struct XMLMarkup {
  private let source: PlistSource
  private let limit: Int
  private var hasType = false
  /// At most ``limit`` warnings, in order of position.
  private(set) var warnings: [PlistError] = []

  /// Checks all markup, and stops at the first piece that cannot be read.
  init(checking source: PlistSource, limit: Int) {
    self.source = source
    self.limit = limit
    let bytes = source.data.bytes
    var offset = 0
    while warnings.count < limit {
      let start = bytes.firstOffset(of: 0x3C, from: offset)
      if bytes.hasBytes("<?xml", at: start), offset == 0, start > 0 {
        warn("there is \(start == 1 ? "a character" : "text") before the XML declaration", at: 0)
      }
      checkText(in: offset..<start, bytes)
      guard start + 1 < bytes.byteCount, let end = check(bytes, at: start) else { return }
      offset = end
    }
  }

  private mutating func warn(_ message: String, at offset: Int) {
    add("\(message); other XML parsers refuse that", at: offset)
  }

  private mutating func add(_ message: String, at offset: Int) {
    guard warnings.count < limit else { return }
    warnings.append(
      PlistError(code: .foreignMarkup, message: message, format: .xml, offset: offset, path: nil, source: source))
  }

  /// Checks the markup at `start`, and returns the offset after it, or nil if it cannot be read.
  private mutating func check(_ bytes: RawSpan, at start: Int) -> Int? {
    switch bytes.byte(at: start + 1) {
    case 0x2F: return bytes.firstOffset(of: 0x3E, from: start)
    case 0x21 where bytes.hasBytes("<![CDATA[", at: start):
      return try? XMLScanner.end(of: "]]>", bytes, from: start + 9, opened: start)
    case 0x21, 0x3F:
      guard let end = try? XMLScanner.skipMarkup(bytes, at: start, allowsDocumentType: true) else { return nil }
      checkCharacters(in: start..<end, bytes)
      if bytes.hasBytes("<!--", at: start) {
        checkComment(in: start + 4..<end - 3, bytes)
      } else if bytes.hasBytes("<!DOCTYPE", at: start) {
        if hasType { warn("the document has a second DOCTYPE", at: start) }
        hasType = true
      } else if bytes.hasBytes("<?xml", at: start), start + 5 < end, XMLScanner.isSpace(bytes.byte(at: start + 5)) {
        checkDeclaration(bytes, in: start..<end)
      }
      return end
    default:
      guard let tag = try? XMLScanner.openTag(bytes, at: start) else { return nil }
      let name = "<\(tag.element.name)>"
      // The `/` of an empty element is not part of its attributes.
      let end = tag.end - (tag.isEmpty ? 2 : 1)
      checkAttributes(of: name, bytes, in: start + 1 + tag.element.name.utf8CodeUnitCount..<end) {
        tag.element == .plist && $0 == "version"
      }
      return tag.end
    }
  }

  /// Checks the characters in markup that readers skip without checking it.
  private mutating func checkCharacters(in range: Range<Int>, _ bytes: RawSpan) {
    if let offset = bytes.firstInvalidUTF8(in: range) {
      warn(
        "byte 0x\(bytes.byte(at: offset).hexadecimalDigits) in a comment or declaration is not valid UTF-8", at: offset)
    } else if XMLCharacters.firstForbidden(in: String(utf8: bytes, in: range)) != nil {
      warn("a comment or declaration contains a control character", at: range.lowerBound)
    }
  }

  private mutating func checkText(in range: Range<Int>, _ bytes: RawSpan) {
    var offset = bytes.firstOffset(of: 0x5D, from: range.lowerBound, to: range.upperBound)
    while offset < range.upperBound {
      if bytes.hasBytes("]]>", at: offset) { warn("text contains \"]]>\"", at: offset) }
      offset = bytes.firstOffset(of: 0x5D, from: offset + 1, to: range.upperBound)
    }
  }

  private mutating func checkComment(in range: Range<Int>, _ bytes: RawSpan) {
    if range.lowerBound < range.upperBound,
      bytes.byte(at: range.lowerBound) == 0x3E
        || bytes.hasBytes("->", at: range.lowerBound)
    {
      add("the comment begins with '>' or \"->\", at which some parsers end it", at: range.lowerBound - 4)
    }
    var offset = bytes.firstOffset(of: 0x2D, from: range.lowerBound, to: range.upperBound)
    while offset < range.upperBound {
      if offset + 1 == range.upperBound { return warn("the comment ends with \"--->\"", at: offset) }
      if bytes.byte(at: offset + 1) == 0x2D { return warn("the comment contains \"--\"", at: offset) }
      offset = bytes.firstOffset(of: 0x2D, from: offset + 1, to: range.upperBound)
    }
  }

  private mutating func checkDeclaration(_ bytes: RawSpan, in range: Range<Int>) {
    guard bytes.firstOffset(of: 0x3C, from: 0) == range.lowerBound else {
      return warn("the XML declaration is not at the beginning of the document", at: range.lowerBound)
    }
    checkAttributes(of: "the XML declaration", bytes, in: range.lowerBound + 5..<range.upperBound - 2) {
      ["version", "encoding", "standalone"].contains($0)
    }
  }

  /// Checks that the attributes in `range` are quoted, and that `isKnown` accepts their names.
  private mutating func checkAttributes(
    of owner: String, _ bytes: RawSpan, in range: Range<Int>, isKnown: (String) -> Bool
  ) {
    var offset = range.lowerBound
    var names: Set<String> = []
    while true {
      let gap = offset
      offset = min(XMLScanner.skipSpace(bytes, from: offset), range.upperBound)
      guard offset < range.upperBound else { return }
      let start = offset
      if gap == start, !names.isEmpty { return warn("there is no space between two attributes of \(owner)", at: start) }
      while offset < range.upperBound, bytes.byte(at: offset) != 0x3D, !XMLScanner.isSpace(bytes.byte(at: offset)) {
        offset += 1
      }
      let name = String(utf8: bytes, in: start..<offset)
      let shown = name.shownInMessages()
      offset = XMLScanner.skipSpace(bytes, from: offset)
      guard offset < range.upperBound, bytes.byte(at: offset) == 0x3D else {
        return warn("the attribute \(shown) of \(owner) has no value", at: start)
      }
      offset = XMLScanner.skipSpace(bytes, from: offset + 1)
      let quote = offset < range.upperBound ? bytes.byte(at: offset) : 0
      guard quote == 0x22 || quote == 0x27 else {
        return warn("the attribute \(shown) of \(owner) has no quotation marks", at: start)
      }
      offset = bytes.firstOffset(of: quote, from: offset + 1, to: range.upperBound)
      guard offset < range.upperBound else { return }
      offset += 1
      if !names.insert(name).inserted { return warn("\(owner) has the attribute \(shown) twice", at: start) }
      guard isKnown(name) else {
        add("\(owner) has the attribute \(shown), which no property list has and which readers ignore", at: start)
        continue
      }
    }
  }
}

extension PlistError.Code {
  /// A warning about markup that other XML parsers refuse.
  package static let foreignMarkup = Self("foreignMarkup", category: .data)
}
