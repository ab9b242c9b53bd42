#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The items of a text document in order, with the comments around each item, all as ranges of the text.
///
/// Unlike an index, an outline includes all comments. It is created from a document that has already been read.
struct DocumentOutline {
  struct Comment {
    let range: Range<Int>
    /// Whether only white space precedes the comment on its line.
    let beginsLine: Bool
    /// Whether an empty line precedes the comment.
    let followsEmptyLine: Bool
  }

  /// A value with its key, or a pair `key;` in OpenStep text, whose value is the key.
  struct Item {
    let parent: Int
    /// The key with its delimiters; nil for an element of an array and for the root.
    var key: Range<Int>?
    /// A scalar with its delimiters, or a container's opening bracket or tag; empty for the root of a `.strings` file.
    var value: Range<Int>?
    var isContainer = false
    var children: [Int] = []
    /// The comments before the item, except those at the end of the previous item's line.
    var before: [Comment] = []
    /// The comments between the key and the equals sign.
    var afterKey: [Comment] = []
    var beforeValue: [Comment] = []
    /// The comments between the value and its semicolon or comma.
    var afterValue: [Comment] = []
    /// The comments at the end of the item's line.
    var behind: [Comment] = []
    /// The comments at the end of the line that opens a container.
    var opening: [Comment] = []
    /// The comments before the end of a container, except those that belong to an item.
    var closing: [Comment] = []
    /// Whether an empty line separates the item from the comment or item before.
    var followsEmptyLine = false
    /// A container's closing bracket or tag.
    var end: Range<Int>?
  }

  /// Markup before or after the root of an XML document.
  enum Markup {
    case tag(Range<Int>)
    case comment(Comment)
  }

  let source: PlistSource
  /// All items; the first is the root.
  private(set) var items: [Item] = []
  private(set) var prolog: [Markup] = []
  private(set) var epilog: [Markup] = []

  /// Outlines a document in XML or OpenStep text, or returns nil if it contains something unusual, such as a processing
  /// instruction between values.
  init?(_ source: PlistSource, _ format: PlistFormat, _ options: PlistReadOptions, _ value: PropertyList) {
    self.source = source
    guard format != .binary, format != .json else { return nil }
    isXML = format == .xml
    var scan = OutlineScan(source, isXML: isXML, options)
    if !isXML, !scan.beginsContainer, case .dictionary = value {
      items.append(Item(parent: 0, value: 0..<0, isContainer: true))
      open.append(0)
    }
    while let piece = scan.next() { if !add(piece, scan.gap) { return nil } }
    guard scan.isComplete, !items.isEmpty else { return nil }
    if !open.isEmpty {
      guard open == [0], items[0].value?.isEmpty == true else { return nil }
      close(0, at: source.data.count..<source.data.count)
    }
    guard key == nil else { return nil }
    epilog += pending.map { .comment($0) }
    pending = []
  }

  /// Returns the key or string in a range.
  func string(_ range: Range<Int>) -> String {
    let bytes = source.data.bytes
    if !isXML {
      let token = try? OpenStepScanner.string(.string, bytes, at: range.lowerBound)
      return token.map { bytes.decodedText($0.0) } ?? String(utf8: bytes, in: range)
    }
    guard let tag = try? XMLScanner.openTag(bytes, at: range.lowerBound), !tag.isEmpty else { return "" }
    var end = range.upperBound
    while end > tag.end, !bytes.hasBytes("</", at: end) { end -= 1 }
    return bytes.decodedText(PlistToken(.string, .escapedXML, tag.end..<end))
  }

  // MARK: Parsing

  /// The open containers, outermost first.
  private var open: [Int] = []
  /// The comments that are not assigned to an item yet.
  private var pending: [Comment] = []
  /// The number of comments in ``pending`` that are on the same line as whatever precedes them.
  private var onLine = 0
  private var key: Item?
  private var hasEquals = false
  /// The item that a comment on the same line belongs to, or nil at the beginning of a container.
  private var last: Int?
  /// Whether the comma or semicolon of the last item is still to come.
  private var awaitsSeparator = false
  private let isXML: Bool

  private mutating func add(_ piece: OutlineScan.Piece, _ gap: OutlineScan.Gap) -> Bool {
    switch piece {
    case .comment(let range):
      let isSameLine = !gap.hasLineEnd && onLine == pending.count
      let comment = Comment(range: range, beginsLine: gap.beginsLine, followsEmptyLine: gap.hasEmptyLine)
      if key != nil {
        if hasEquals { key?.beforeValue.append(comment) } else { key?.afterKey.append(comment) }
      } else if awaitsSeparator, let last, isSameLine, pending.isEmpty {
        items[last].afterValue.append(comment)
      } else {
        pending.append(comment)
        if isSameLine, last != nil || !open.isEmpty { onLine += 1 }
      }
    case .markup(let range):
      guard open.isEmpty else { return false }
      let comments = pending.map { Markup.comment($0) }
      pending = []
      onLine = 0
      if items.isEmpty { prolog += comments + [.tag(range)] } else { epilog += comments + [.tag(range)] }
    case .separator(let byte):
      if byte == 0x3D {
        guard key != nil else { return false }
        hasEquals = true
      } else if var pair = key {
        guard !hasEquals else { return false }
        pair.afterValue = pair.afterKey
        pair.afterKey = []
        append(pair)
      } else {
        guard let last, awaitsSeparator else { return false }
        items[last].afterValue += pending
        pending = []
        onLine = 0
      }
      awaitsSeparator = false
    case .key(let range):
      guard let parent = open.last, key == nil, !awaitsSeparator else { return false }
      var item = Item(parent: parent, key: range)
      settle(gap, &item)
      key = item
      hasEquals = false
    case .scalar(let range):
      // In a dictionary, a string is a key unless it follows a key.
      if !isXML, let parent = open.last, key == nil, isDictionary(parent) {
        return add(.key(range), gap)
      }
      if awaitsSeparator { return false }
      var item = takeItem(gap)
      item.value = range
      append(item)
      awaitsSeparator = !isXML
    case .opening(let range):
      if awaitsSeparator { return false }
      var item = takeItem(gap)
      item.value = range
      item.isContainer = true
      append(item)
      open.append(items.count - 1)
      last = nil
    case .closing(let range):
      guard key == nil, let container = open.last else { return false }
      close(container, at: range, gap)
      awaitsSeparator = !isXML
    }
    return true
  }

  private func isDictionary(_ container: Int) -> Bool {
    guard let range = items[container].value, !range.isEmpty else { return true }
    return source.data.bytes.byte(at: range.lowerBound) == 0x7B
  }

  private mutating func takeItem(_ gap: OutlineScan.Gap) -> Item {
    if let item = key {
      key = nil
      return item
    }
    var item = Item(parent: open.last ?? 0)
    settle(gap, &item)
    return item
  }

  private mutating func append(_ item: Item) {
    key = nil
    items.append(item)
    if let container = open.last { items[container].children.append(items.count - 1) }
    last = items.count - 1
  }

  /// Assigns the pending comments to the previous item if they end its line, otherwise to the next item.
  private mutating func settle(_ gap: OutlineScan.Gap, _ item: inout Item) {
    settleLine(isAtLineEnd: gap.hasLineEnd || pending.count > onLine)
    item.before = pending
    item.followsEmptyLine = gap.hasEmptyLine
    pending = []
  }

  private mutating func settleLine(isAtLineEnd: Bool) {
    if isAtLineEnd, onLine > 0 {
      if let last {
        items[last].behind += pending.prefix(onLine)
        pending.removeFirst(onLine)
      } else if let container = open.last, items[container].value?.isEmpty == false {
        items[container].opening += pending.prefix(onLine)
        pending.removeFirst(onLine)
      }
    }
    onLine = 0
  }

  private mutating func close(_ container: Int, at range: Range<Int>, _ gap: OutlineScan.Gap = .lineEnd) {
    settleLine(isAtLineEnd: gap.hasLineEnd || pending.count > onLine)
    items[container].closing += pending
    items[container].end = range
    pending = []
    open.removeLast()
    last = container
  }
}

/// Splits a document's text into keys, values, brackets, separators and comments.
struct OutlineScan {
  enum Piece {
    case comment(Range<Int>)
    case markup(Range<Int>)
    case separator(UInt8)
    case key(Range<Int>)
    case scalar(Range<Int>)
    case opening(Range<Int>)
    case closing(Range<Int>)
  }

  /// The white space before a piece.
  struct Gap {
    var hasLineEnd = false
    var hasEmptyLine = false
    /// Whether the piece is the first on its line.
    var beginsLine = false

    static let lineEnd = Gap(hasLineEnd: true, beginsLine: true)
  }

  private let source: PlistSource
  private let isXML: Bool
  private let options: PlistReadOptions
  private let lines: EditLines
  private var position = 0
  private(set) var gap = Gap()
  /// Whether everything so far could be parsed.
  private(set) var isComplete = true

  init(_ source: PlistSource, isXML: Bool, _ options: PlistReadOptions) {
    (self.source, self.isXML, self.options, lines) = (source, isXML, options, EditLines(source))
  }

  /// Whether the first piece of OpenStep text opens a container.
  var beginsContainer: Bool {
    let bytes = source.data.bytes
    let start = OpenStepScanner.skipSpace(bytes, from: 0)
    return start < bytes.byteCount && [0x7B, 0x28].contains(bytes.byte(at: start))
  }

  mutating func next() -> Piece? {
    let bytes = source.data.bytes
    skipSpace(bytes)
    guard position < bytes.byteCount else { return nil }
    let start = position
    let piece = isXML ? xmlPiece(bytes, start) : textPiece(bytes, start)
    if piece == nil || position <= start { isComplete = false }
    return isComplete ? piece : nil
  }

  private mutating func skipSpace(_ bytes: RawSpan) {
    let start = position
    while position < bytes.byteCount {
      if isXML {
        guard XMLScanner.isSpace(bytes.byte(at: position)) else { break }
        position += 1
      } else {
        guard let end = OpenStepScanner.spaceEnd(bytes, at: position) else { break }
        position = end
      }
    }
    gap.hasLineEnd = (start..<position).contains { EditLines.isLineEnd(bytes.byte(at: $0)) }
    gap.hasEmptyLine = gap.hasLineEnd && lines.hasEmptyLine(in: start..<position)
    gap.beginsLine = gap.hasLineEnd || start == 0
  }

  private mutating func textPiece(_ bytes: RawSpan, _ start: Int) -> Piece? {
    if let end = OpenStepScanner.commentEnd(bytes, at: start) {
      position = end
      return .comment(start..<end)
    }
    switch bytes.byte(at: start) {
    case 0x3D, 0x2C, 0x3B:
      position = start + 1
      return .separator(bytes.byte(at: start))
    case 0x7B, 0x28:
      position = start + 1
      return .opening(start..<position)
    case 0x7D, 0x29:
      position = start + 1
      return .closing(start..<position)
    case 0x3C:
      var reader = OpenStepReader(limits: options.limits, from: start, isRoot: false)
      guard (try? reader.nextToken(in: source)) != nil else { return nil }
      position = reader.offset
    default:
      guard let (_, end) = try? OpenStepScanner.string(.string, bytes, at: start) else { return nil }
      position = end
    }
    return .scalar(start..<position)
  }

  private mutating func xmlPiece(_ bytes: RawSpan, _ start: Int) -> Piece? {
    if bytes.hasBytes("<!", at: start) || bytes.hasBytes("<?", at: start) {
      position = XMLScanner.markupEnd(bytes, at: start)
      return bytes.hasBytes("<!--", at: start) ? .comment(start..<position) : .markup(start..<position)
    }
    guard bytes.byte(at: start) == 0x3C else { return nil }
    if bytes.hasBytes("</", at: start) {
      position = XMLScanner.markupEnd(bytes, at: start)
      return bytes.hasBytes("</plist", at: start) ? .markup(start..<position) : .closing(start..<position)
    }
    guard let tag = try? XMLScanner.openTag(bytes, at: start) else { return nil }
    position = tag.end
    switch tag.element {
    case .plist: return tag.isEmpty ? nil : .markup(start..<position)
    case .dict, .array: return tag.isEmpty ? .scalar(start..<position) : .opening(start..<position)
    default: break
    }
    if tag.isEmpty { return tag.element == .key ? .key(start..<position) : .scalar(start..<position) }
    guard let end = Self.end(of: tag, bytes) else { return nil }
    position = end
    return tag.element == .key ? .key(start..<position) : .scalar(start..<position)
  }

  /// Returns the offset after a scalar's closing tag, skipping its comments and CDATA sections.
  private static func end(of tag: XMLTag, _ bytes: RawSpan) -> Int? {
    var position = tag.end
    while true {
      position = bytes.firstOffset(of: 0x3C, from: position)
      guard position < bytes.byteCount else { return nil }
      if bytes.hasBytes("</", at: position) { return XMLScanner.markupEnd(bytes, at: position) }
      let end =
        bytes.hasBytes("<![CDATA[", at: position)
        ? try? XMLScanner.end(of: "]]>", bytes, from: position + 9, opened: position, allowsNUL: true)
        : XMLScanner.markupEnd(bytes, at: position)
      guard let end, end > position else { return nil }
      position = end
    }
  }
}
