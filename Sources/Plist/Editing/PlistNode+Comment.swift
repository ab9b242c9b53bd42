#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PlistNode {
  /// The text of the comments directly before the value or its key, or nil if there are none.
  ///
  /// In a `.strings` file, comments are notes for translators:
  ///
  /// ```swift
  /// // /* The title of the window */
  /// // "title" = "Settings";
  /// let strings = try PlistDocument(contentsOf: url)
  /// let note = strings.root["title"]?.comment  // The title of the window
  /// ```
  ///
  /// A comment belongs to the value after it or, at the end of a line, to the item before it. A comment that an empty
  /// line separates from the value, such as a file's header, belongs to nothing, and neither does one between a key and
  /// its value.
  ///
  /// The text doesn't include comment marks, or white space at the beginning or end of a line. Several comments are
  /// joined with line breaks. The root has no comment, and neither do values in binary or JSON documents.
  ///
  /// - Complexity: O(*n*) in the number of bytes between the previous value and this one, and in the length of the
  ///   previous value if it is a string or data.
  public var comment: String? {
    guard let site = CommentSite(before: self), !site.comments.isEmpty else { return nil }
    return site.text
  }
}

/// The comments before a value or its key.
struct CommentSite {
  /// The ranges of the comments, including their marks.
  private(set) var comments: [Range<Int>] = []
  /// Where the value's key begins, or the value itself if it has no key.
  let start: Int
  /// Where the first comment begins, or ``start`` if there is none.
  var itemStart: Int { comments.first?.lowerBound ?? start }
  private let source: PlistSource

  /// Finds the comments between `node` and the value before it; nil for the root and in formats without comments.
  init?(before node: PlistNode) {
    guard node.index > 0, node.document.kind == .text, node.document.format != .json else { return nil }
    let entries = node.document.text.entries
    let isXML = node.document.format == .xml
    let first = entries[node.index - 1].kind == .key ? node.index - 1 : node.index
    source = node.document.source
    start = entries[first].offset
    // The entry before the item's first entry is its container or the last value in the previous item.
    let before = PlistNode(node.document, first - 1)
    var position = before.sourceOffset
    if !entries[first - 1].isContainer {
      guard let end = before.sourceEnd else { return nil }
      position = end
    } else if first == 1, !isXML {
      // The root of a `.strings` file begins at the first key, but comments may come before it.
      position = 0
    }
    let lines = EditLines(source)
    // The end of the last tag or separator before the comments; nil at the beginning of the document.
    var itemEnd = position == 0 ? nil : position
    while position < start {
      let end =
        isXML
        ? XMLScanner.commentEnd(source.data.bytes, at: position)
        : OpenStepScanner.commentEnd(source.data.bytes, at: position)
      // In a mapped file that has changed, a comment can extend past the offset that the index has for the item.
      if let end, end <= start {
        comments.append(position..<end)
        position = end
      } else if XMLScanner.isSpace(source.data.bytes.byte(at: position)) {
        position += 1
      } else if !isXML, let next = OpenStepScanner.spaceEnd(source.data.bytes, at: position) {
        position = next
      } else {
        comments.removeAll()
        position = isXML ? XMLScanner.markupEnd(source.data.bytes, at: position) : position + 1
        itemEnd = position
      }
    }
    if let itemEnd {
      let end = lines.behindComments(itemEnd, beginning: isXML ? "<!--" : "/*", ending: isXML ? "-->" : "*/")
      comments.removeAll { $0.lowerBound < end }
    }
    let ends = comments.dropFirst().map(\.lowerBound) + [start]
    let gaps = zip(comments, ends).map { $0.upperBound..<$1 }
    if let detached = gaps.lastIndex(where: lines.hasEmptyLine) { comments.removeFirst(detached + 1) }
  }

  fileprivate var text: String {
    comments.map { range in
      let bytes = source.data.bytes
      let isXML = bytes.hasBytes("<!--", at: range.lowerBound)
      let isLine = bytes.hasBytes("//", at: range.lowerBound)
      let start = range.lowerBound + (isXML ? 4 : 2)
      let end = max(start, range.upperBound - (isXML ? 3 : isLine ? 0 : 2))
      return String(decoding: EditLines(source).bytes(in: start..<end), as: UTF8.self).trimmedLines
    }.joined(separator: "\n")
  }
}

extension PlistDocument {
  /// The number of comments anywhere in the document.
  ///
  /// Comments with only white space between them count as one, as they do for a value.
  ///
  /// - Complexity: O(*n*) in the length of the document.
  package var commentCount: Int {
    guard format == .xml || format == .openStep || format == .gnuStep else { return 0 }
    let bytes = index.source.data.bytes
    let isXML = format == .xml
    // Skip the first line of a project file, a comment that names its encoding.
    var position = bytes.hasBytes(ProjectFile.firstLine, at: 0) ? ProjectFile.firstLine.utf8CodeUnitCount : 0
    var (count, isAfterComment) = (0, false)
    while position < bytes.byteCount {
      let byte = bytes.byte(at: position)
      if let end = isXML ? XMLScanner.commentEnd(bytes, at: position) : OpenStepScanner.commentEnd(bytes, at: position)
      {
        if !isAfterComment { count += 1 }
        isAfterComment = true
        position = max(end, position + 1)
        continue
      }
      if !XMLScanner.isSpace(byte) { isAfterComment = false }
      position += 1
      if isXML, bytes.hasBytes("<![CDATA[", at: position - 1) {
        position = (try? XMLScanner.end(of: "]]>", bytes, from: position + 8, opened: position)) ?? bytes.byteCount
      } else if !isXML, byte == 0x22 || byte == 0x27 {
        while position < bytes.byteCount, bytes.byte(at: position) != byte {
          position += bytes.byte(at: position) == 0x5C ? 2 : 1
        }
        position += 1
      }
    }
    return count
  }
}

extension PlistNode {
  /// The offset after a scalar in the source; nil if the scalar cannot be read.
  fileprivate var sourceEnd: Int? {
    let limits = document.options.limits
    if document.format == .xml {
      var reader = XMLReader(limits: limits, from: sourceOffset, dates: document.options.invalidDates)
      return (try? reader.nextToken(in: document.source)).map { _ in reader.offset }
    }
    var reader = OpenStepReader(limits: limits, from: sourceOffset, isRoot: false)
    return (try? reader.nextToken(in: document.source)).map { _ in reader.offset }
  }
}

extension String {
  /// The string without white space at either end of a line, and without empty lines at its beginning and end.
  fileprivate var trimmedLines: String {
    let lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      var line = line.drop(while: \.isWhitespace)
      while line.last?.isWhitespace == true { line.removeLast() }
      return line
    }
    guard let first = lines.firstIndex(where: { !$0.isEmpty }), let last = lines.lastIndex(where: { !$0.isEmpty })
    else { return "" }
    return lines[first...last].joined(separator: "\n")
  }
}
