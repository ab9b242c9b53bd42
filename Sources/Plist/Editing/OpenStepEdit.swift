#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Edits to OpenStep text, including `.strings` files.
struct OpenStepEdit: DocumentEdit {
  let source: PlistSource
  let lines: EditLines
  let scans: EditScans
  let options: PlistWriteOptions
  let limits: PlistLimits
  let removed: RemovedText
  let hasTypedValues: Bool
  let spelling: ItemSpelling?

  private static let inline = TextLayout(lineBreak: [0x20], indent: [])
  private static let assignment = Array(" = ".utf8)

  // MARK: Replacing

  func replacing(_ item: EditItem, in containers: [EditContainer], by value: PropertyList) throws(PlistError)
    -> [EditSplice]
  {
    let start = item.value.sourceOffset
    let isTable = containers.isEmpty && isStringsTable(item.value)
    let end = isTable ? source.data.count : try end(at: start)
    let isInline = lines.isInline(start, in: containers.last)
    let layout =
      isInline
      ? Self.inline : TextLayout(lineBreak: lines.lineBreak(at: start), indent: lines.unit(in: containers))
    if !isTable, item.key?.sourceOffset != start, let new = spelling?.text(layout, in: source.encoding)?.item {
      return [separated(start..<behindOwnComments(end), new)]
    }
    let new = try fragment(value, layout, isQuoted: isQuoted(item.value))
    // In `key;`, the key is also the value, so a new value goes after it.
    if let key = item.key, key.sourceOffset == start { return [separated(end..<end, Self.assignment + new)] }
    return [separated(start..<end, (start == source.data.count ? endOfComments() : []) + new)]
  }

  // MARK: Inserting

  func inserting(
    _ value: PropertyList, key: String?, at place: EditPlace, in containers: [EditContainer]
  ) throws(PlistError) -> [EditSplice] {
    guard let container = containers.last else { return [] }
    guard let final = container.last else { return try insertingFirst(value, key: key, in: containers) }
    let last = place.neighbour ?? final
    let spacing = try spacing(before: last, in: container)
    let isInline = !spacing.contains { $0 == 0x0A || $0 == 0x0D }
    let layout =
      isInline
      ? Self.inline : TextLayout(lineBreak: lines.lineBreak(at: last.start), indent: lines.unit(in: containers))
    let copied = place.neighbour == nil ? container.quoting : nil
    let new: (text: [UInt8], trail: [UInt8]) =
      isOneLineObject(last, value)
      ? (try pair(key, value, Self.inline, copied ?? quoting(of: last), isTight: true), [])
      : try item(key, value, layout, copied ?? quoting(of: last))
    if case .before(let next) = place {
      let comments = CommentSite(before: next.value)?.comments ?? []
      // If the next item is the first in a section of a project file, the new one goes after the mark that begins the
      // section.
      let first = comments.last { ProjectFile.isMark(source.data.bytes, $0) } == nil ? comments.first : nil
      let start = first?.lowerBound ?? next.start
      return [EditSplice(start..<start, new.text + (key == nil ? [0x2C] : []) + new.trail + spacing)]
    }
    if container.isDictionary {
      if case .section(let name, _) = place {
        let lineEnd = Array(spacing.prefix(while: EditLines.isLineEnd))
        let section = Array(" \(name) section */".utf8)
        var end = try itemEnd(last)
        end = ProjectFile.sectionEnd(source.data.bytes, after: end) ?? end
        let text = lineEnd + lineEnd + Array("/* Begin".utf8) + section + spacing + new.text + new.trail
        return [EditSplice(end..<end, text + lineEnd + Array("/* End".utf8) + section)]
      }
      let end = lines.behindComments(try itemEnd(last), beginning: "/*", ending: "*/", isInline: isInline)
      return [EditSplice(end..<end, spacing + new.text + new.trail)]
    }
    // If there is a comma after the last element, the new last element gets one too.
    let end = try end(at: last.value.sourceOffset)
    if let comma = separator(0x2C, from: end) {
      let end = lines.behindComments(comma + 1, beginning: "/*", ending: "*/", isInline: isInline)
      return [EditSplice(end..<end, spacing + new.text + [0x2C] + new.trail)]
    }
    let position = lines.behindComments(end, beginning: "/*", ending: "*/", isInline: isInline, isLast: true)
    // Between two elements on one line, a comment belongs to the first only if it is before the comma.
    if isInline { return [separated(position..<position, [0x2C] + spacing + new.text)] }
    return [EditSplice(end..<end, [0x2C]), separated(position..<position, spacing + new.text + new.trail)]
  }

  /// Returns what must precede a new item in a document that has only white space and comments: the end of an unclosed
  /// comment and of an unfinished last line.
  private func endOfComments() -> [UInt8] {
    if OpenStepScanner.endsInOpenComment(source.data.bytes) { return Array("*/".utf8) + lines.lineBreak(at: 0) }
    return lines.beginsLine(source.data.count) ? [] : lines.lineBreak(at: 0)
  }

  /// Returns the white space before `item`: the line end and indent if it begins a line, otherwise the white space
  /// between the container's last two items, or a single space.
  private func spacing(before item: EditItem, in container: EditContainer) throws(PlistError) -> [UInt8] {
    if lines.beginsLine(item.start) { return lines.lineBreak(at: item.start) }
    guard let before = container.beforeLast, let last = container.last else { return [0x20] }
    let end = try itemEnd(before)
    return lines.isSpace(in: end..<last.start) ? lines.bytes(in: end..<last.start) : [0x20]
  }

  private func insertingFirst(
    _ value: PropertyList, key: String?, in containers: [EditContainer]
  ) throws(PlistError) -> [EditSplice] {
    guard let container = containers.last else { return [] }
    let start = container.node.sourceOffset
    let unit = lines.unit(in: containers)
    if containers.count == 1, isStringsTable(container.node) {
      let end = source.data.count
      let lineEnd = lines.lineBreak(at: 0)
      let new = try pair(
        key, value, TextLayout(lineBreak: lineEnd, indent: unit), EditQuoting(key: true, value: true))
      return [EditSplice(end..<end, endOfComments() + new + lineEnd)]
    }
    let end = try end(at: start)
    let isBroken = lines.hasLineEnd(in: start..<end)
    let isInline = lines.isInline(start, in: containers.dropLast().last) && !isBroken
    let outer = isInline ? [] : lines.lineBreak(at: start)
    let inner = isInline ? [] : outer + unit
    let layout = isInline ? Self.inline : TextLayout(lineBreak: inner, indent: unit)
    let comma: [UInt8] = isInline || container.isDictionary ? [] : [0x2C]
    let new = inner + (try pair(key, value, layout, EditQuoting(key: false, value: false))) + comma
    let position = lines.endOfContent(before: end - 1, from: start + 1)
    let isAtBreak = lines.hasLineEnd(in: position..<end - 1)
    return [EditSplice(position..<(isAtBreak ? position : end - 1), new + (isAtBreak ? [] : outer))]
  }

  /// Whether a new object in a project file goes on one line, like the object next to it.
  private func isOneLineObject(_ neighbour: EditItem, _ value: PropertyList) -> Bool {
    let start = neighbour.value.sourceOffset
    guard spelling == nil, value["isa"] != nil, source.data.bytes.hasBytes("{isa = ", at: start),
      let end = try? end(at: start)
    else { return false }
    return !lines.hasLineEnd(in: start..<end)
  }

  // MARK: Removing and renaming

  func removing(_ item: EditItem, after previous: EditItem?) throws(PlistError) -> [EditSplice] {
    if item.key != nil {
      return [EditSplice(lines.withSpace(item.start..<(try itemEnd(item)), isFirst: previous == nil))]
    }
    let end = try end(at: item.value.sourceOffset)
    return try removingElement(item.start..<end, after: previous, lines) { separator(0x2C, from: $0) }
  }

  func renaming(_ item: EditItem, to key: String) throws(PlistError) -> [EditSplice] {
    guard let start = item.key?.sourceOffset else { return [] }
    let range = start..<(try end(at: start))
    var new = keyText(key, isQuoted: item.key.map(isQuoted) ?? false)
    // In `key;`, renaming must not change the value, so write out the old key as the value.
    if item.value.sourceOffset == start { new += Self.assignment + lines.bytes(in: range) }
    return [separated(range, new)]
  }

  // MARK: Text

  /// Returns a splice that replaces `range` with `new`, adding a space if the last word of `new` would otherwise run
  /// into a word after the range.
  ///
  /// The first slash of a comment is a word character too, so `ab/* c */` begins with the word `ab/`.
  private func separated(_ range: Range<Int>, _ new: [UInt8]) -> EditSplice {
    let bytes = source.data.bytes
    let joins =
      range.upperBound < bytes.byteCount && bytes.byte(at: range.upperBound).isWordCharacter
      && new.last?.isWordCharacter == true
    return EditSplice(range, joins ? new + [0x20] : new)
  }

  /// Returns the offset after the comments between a value and its semicolon or comma.
  private func behindOwnComments(_ end: Int) -> Int {
    let bytes = source.data.bytes
    let position = OpenStepScanner.skipSpace(bytes, from: end)
    if position < bytes.byteCount, [0x2C, 0x3B].contains(bytes.byte(at: position)) {
      return lines.endOfContent(before: position, from: end)
    }
    return lines.behindComments(end, beginning: "/*", ending: "*/", isInline: true, isLast: true)
  }

  /// Returns the text of a new pair or element, and the comment after its semicolon or comma.
  private func item(
    _ key: String?, _ value: PropertyList, _ layout: TextLayout, _ quoting: EditQuoting
  ) throws(PlistError) -> (text: [UInt8], trail: [UInt8]) {
    guard let spelled = spelling?.text(layout, in: source.encoding) else {
      return (try pair(key, value, layout, quoting), [])
    }
    return (spelled.item + (key == nil ? [] : [0x3B]), spelled.trail)
  }

  /// Returns the text of a pair, or of an element if `key` is nil.
  private func pair(
    _ key: String?, _ value: PropertyList, _ layout: TextLayout, _ quoting: EditQuoting, isTight: Bool = false
  ) throws(PlistError) -> [UInt8] {
    let text = try fragment(value, layout, isQuoted: quoting.value, isTight: isTight)
    guard let key else { return text }
    return keyText(key, isQuoted: quoting.key) + Self.assignment + text + [0x3B]
  }

  /// Returns the quoting for a new item, whose strings have quotation marks if those of `neighbour` do.
  private func quoting(of neighbour: EditItem) -> EditQuoting {
    EditQuoting(key: neighbour.key.map(isQuoted) ?? false, value: isQuoted(neighbour.value))
  }

  func quoting(ofAdded key: String?, _ value: PropertyList, in container: EditContainer) -> EditQuoting? {
    guard let last = container.last else { return nil }
    let old = container.quoting ?? quoting(of: last)
    let key = key.map { isQuoted(keyText($0, isQuoted: old.key)) } ?? false
    guard case .string = value, let text = try? fragment(value, .none, isQuoted: old.value) else {
      return EditQuoting(key: key, value: false)
    }
    return EditQuoting(key: key, value: isQuoted(text))
  }

  /// Whether a key or value has quotation marks only by convention: everywhere in a `.strings` file, and elsewhere if
  /// it would be valid without them.
  private func isQuoted(_ node: PlistNode) -> Bool {
    let bytes = source.data.bytes
    let start = node.sourceOffset
    guard start < bytes.byteCount, [0x22, 0x27].contains(bytes.byte(at: start)) else { return false }
    if isTable { return true }
    // An empty string needs its quotation marks.
    guard let end = try? end(at: start), end > start + 2 else { return false }
    return OpenStepFormatter.isWord(bytes.extracting(start + 1..<end - 1))
  }

  private func isQuoted(_ text: [UInt8]) -> Bool {
    guard let first = text.first, first == 0x22 || first == 0x27 else { return false }
    if isTable { return true }
    if text.count <= 2 { return false }
    return Array(text.dropFirst().dropLast()).withByteSpan { OpenStepFormatter.isWord($0) }
  }

  /// Whether the document is a `.strings` file.
  private var isTable: Bool {
    let bytes = source.data.bytes
    let beginning = OpenStepScanner.skipSpace(bytes, from: 0)
    return bytes.byte(at: beginning) != 0x7B && bytes.byte(at: beginning) != 0x28
  }

  private func keyText(_ key: String, isQuoted: Bool) -> [UInt8] {
    var formatter = OpenStepFormatter(fragmentIn: .none, options: options, hasTypedValues: false, isQuoted: isQuoted)
    formatter.append(fragmentKey: key)
    return formatter.withBytes { [UInt8](copying: $0) }
  }

  private func fragment(
    _ value: PropertyList, _ layout: TextLayout, isQuoted: Bool, isTight: Bool = false
  ) throws(PlistError) -> [UInt8] {
    let formatter = OpenStepFormatter(
      fragmentIn: layout, options: options, hasTypedValues: hasTypedValues, isQuoted: isQuoted, isTight: isTight)
    return try format(value, with: formatter, options, hasTypedValues ? .gnuStep : .openStep)
  }

  private func isStringsTable(_ root: PlistNode) -> Bool {
    let bytes = source.data.bytes
    let start = root.sourceOffset
    return root.kind == .dictionary && (start >= bytes.byteCount || bytes.byte(at: start) != 0x7B)
  }

  /// Returns the offset of the separator `byte` if only white space and comments precede it, and no pending edit has
  /// removed it.
  private func separator(_ byte: UInt8, from offset: Int) -> Int? {
    let bytes = source.data.bytes
    let position = OpenStepScanner.skipSpace(bytes, from: offset)
    guard position < bytes.byteCount, bytes.byte(at: position) == byte, !removed.separators.contains(position) else {
      return nil
    }
    return position
  }

  /// Returns the offset after an item and its semicolon or comma.
  private func itemEnd(_ item: EditItem) throws(PlistError) -> Int {
    let end = try end(at: item.value.sourceOffset)
    return separator(item.key == nil ? 0x2C : 0x3B, from: end).map { $0 + 1 } ?? end
  }

  func end(at start: Int) throws(PlistError) -> Int {
    try scans.end(ofValueAt: start) { () throws(PlistError) in
      try end(of: OpenStepReader(limits: limits, from: start, isRoot: false), in: source) { $0.offset }
    }
  }
}
