#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How another document spells a pair, an element or a value, for an edit that adds the same value.
///
/// It includes the comments that belong to the item: those before it, those before its semicolon or comma, and one at
/// the end of its line.
struct ItemSpelling: Sendable {
  let format: PlistFormat
  /// The comments before the item, with the white space after them.
  private var lead: [UInt8] = []
  private let item: [UInt8]
  /// The comment that ends the line, with the white space before it.
  private var trail: [UInt8] = []
  /// The line end before the item's line and the line's indent, or nil if other items precede the item on that line.
  private let lineBreak: [UInt8]?

  /// Copies the text of a value, including its key and comments if `isItem` is true.
  init?(of node: PlistNode, isItem: Bool) {
    let document = node.document
    guard document.kind == .text else { return nil }
    format = document.format
    let (source, lines) = (document.source, EditLines(document.source))
    let edit = PlistEditor.edit(
      document.source, document.format, lines, EditScans(), PlistWriteOptions(), document.options.limits)
    let bytes = source.data.bytes
    let hasKey = node.index > 0 && document.text.entries[node.index - 1].kind == .key
    let start = hasKey && isItem ? PlistNode(document, node.index - 1).sourceOffset : node.sourceOffset
    guard var end = try? edit.end(at: node.sourceOffset) else { return nil }
    lineBreak = !isItem || lines.beginsLine(start) ? lines.lineBreak(at: start) : nil
    var next = end
    if format == .openStep || format == .gnuStep {
      let separator = OpenStepScanner.skipSpace(bytes, from: end)
      if separator < bytes.byteCount, [0x2C, 0x3B].contains(bytes.byte(at: separator)) {
        end = lines.endOfContent(before: separator, from: end)
        next = separator + 1
      } else {
        end = lines.behindComments(end, beginning: "/*", ending: "*/", isInline: true, isLast: true)
        next = end
      }
    }
    item = lines.bytes(in: start..<end)
    guard isItem, format != .json else { return }
    let isXML = format == .xml
    let last = lines.behindComments(next, beginning: isXML ? "<!--" : "/*", ending: isXML ? "-->" : "*/")
    if lines.isBlankToLineEnd(last) { trail = lines.bytes(in: next..<max(next, last)) }
    if let site = CommentSite(before: node), let first = site.comments.first, lines.beginsLine(first.lowerBound),
      !site.comments.contains(where: { ProjectFile.isMark(bytes, $0) })
    {
      lead = lines.bytes(in: first.lowerBound..<start)
    }
  }

  /// Returns the text for a place whose line end and indent are those of `layout`, or nil if the text does not fit
  /// there.
  func text(_ layout: TextLayout, in encoding: TextEncoding) -> (item: [UInt8], trail: [UInt8])? {
    let all = lead + item + trail
    guard
      encoding == .utf8
        || String(decoding: all, as: UTF8.self).unicodeScalars.allSatisfy({ encoding.hasCharacter($0.value) })
    else { return nil }
    let isInline = !layout.lineBreak.contains(where: EditLines.isLineEnd)
    if isInline {
      return item.contains(where: EditLines.isLineEnd) || !lead.isEmpty || !trail.isEmpty ? nil : (item, [])
    }
    guard let lineBreak else {
      return item.contains(where: EditLines.isLineEnd) ? nil : (item, trail)
    }
    if lineBreak == layout.lineBreak || !(lead + item).contains(where: EditLines.isLineEnd) {
      return (lead + item, trail)
    }
    return (Self.moved(lead + item, from: lineBreak, to: layout.lineBreak), trail)
  }

  /// Returns text whose lines begin with the line end and indent `new` instead of `old`.
  static func moved(_ text: [UInt8], from old: [UInt8], to new: [UInt8]) -> [UInt8] {
    let indent = old.drop(while: EditLines.isLineEnd)
    let lineEnd = new.prefix(while: EditLines.isLineEnd)
    var result: [UInt8] = []
    var position = 0
    while position < text.count {
      let byte = text[position]
      position += 1
      guard EditLines.isLineEnd(byte) else {
        result.append(byte)
        continue
      }
      if byte == 0x0D, position < text.count, text[position] == 0x0A { position += 1 }
      if text[position...].starts(with: indent) {
        position += indent.count
        result += new
      } else {
        result += lineEnd
      }
    }
    return result
  }
}
