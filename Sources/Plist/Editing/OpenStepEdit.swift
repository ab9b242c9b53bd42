#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Edits of OpenStep documents, `.strings` files included.
struct OpenStepEdit: DocumentEdit {
  private let source: PlistSource
  private let lines: EditLines
  private let options: PlistWriteOptions
  private let limits: PlistLimits
  private let hasTypedValues: Bool

  init(_ source: PlistSource, limits: PlistLimits, options: PlistWriteOptions, hasTypedValues: Bool) {
    self.source = source
    self.limits = limits
    self.options = options
    self.hasTypedValues = hasTypedValues
    lines = EditLines(source)
  }

  private static let inline = TextLayout(lineBreak: [0x20], indent: [])
  private static let assignment = Array(" = ".utf8)

  // MARK: Replacing

  func replacing(_ item: EditItem, in containers: [EditContainer], by value: PropertyList) throws -> [EditSplice] {
    let start = item.value.sourceOffset
    let isTable = containers.isEmpty && isStringsTable(item.value)
    let end = isTable ? source.data.count : try end(at: start)
    let isInline = lines.isInline(start, in: containers.last)
    let layout =
      isInline
      ? Self.inline : TextLayout(lineBreak: lines.lineBreak(at: start), indent: lines.unit(in: containers))
    let new = try fragment(value, layout)
    // Of `key;` the key stays.
    if let key = item.key, key.sourceOffset == start { return [EditSplice(end..<end, Self.assignment + new)] }
    return [EditSplice(start..<end, (start == source.data.count ? endOfComments() : []) + new)]
  }

  // MARK: Inserting

  func inserting(
    _ value: PropertyList, key: String?, before next: EditItem?, in containers: [EditContainer]
  ) throws -> [EditSplice] {
    guard let container = containers.last else { return [] }
    guard let last = container.last else { return try insertingFirst(value, key: key, in: containers) }
    let gap = try gap(before: next ?? last, in: container)
    let isInline = !gap.contains { $0 == 0x0A || $0 == 0x0D }
    let layout =
      isInline
      ? Self.inline : TextLayout(lineBreak: lines.lineBreak(at: last.start), indent: lines.unit(in: containers))
    if let next { return [EditSplice(next.start..<next.start, try fragment(value, layout) + [0x2C] + gap)] }
    let new = try pair(key, value, layout)
    if container.isDictionary {
      let end = lines.behindComments(try pairEnd(last), beginning: "/*", ending: "*/", isInline: isInline)
      return [EditSplice(end..<end, gap + new)]
    }
    // A comma behind the last element is the custom here, or it is not.
    let end = try end(at: last.value.sourceOffset)
    if let comma = separator(0x2C, from: end) {
      let end = lines.behindComments(comma + 1, beginning: "/*", ending: "*/", isInline: isInline)
      return [EditSplice(end..<end, gap + new + [0x2C])]
    }
    return [EditSplice(end..<end, [0x2C] + gap + new)]
  }

  /// What comes first at the end of a document of nothing but white space and comments, the last of which may lack its
  /// end or the line's.
  private func endOfComments() -> [UInt8] {
    if OpenStepScanner.endsInOpenComment(source.data.bytes) { return Array("*/".utf8) + lines.lineBreak(at: 0) }
    return lines.beginsLine(source.data.count) ? [] : lines.lineBreak(at: 0)
  }

  /// What separates `item` from the item before: the line end and indent where it begins a line, else white space as it
  /// is between the last two, or a space.
  private func gap(before item: EditItem, in container: EditContainer) throws -> [UInt8] {
    if lines.beginsLine(item.start) { return lines.lineBreak(at: item.start) }
    guard let before = container.beforeLast, let last = container.last else { return [0x20] }
    let end = container.isDictionary ? try pairEnd(before) : try elementEnd(before)
    return lines.isSpace(in: end..<last.start) ? lines.bytes(in: end..<last.start) : [0x20]
  }

  /// Inserts the first item of a container.
  private func insertingFirst(
    _ value: PropertyList, key: String?, in containers: [EditContainer]
  ) throws -> [EditSplice] {
    guard let container = containers.last else { return [] }
    let start = container.node.sourceOffset
    let unit = lines.unit(in: containers)
    if containers.count == 1, isStringsTable(container.node) {
      let end = source.data.count
      let lineEnd = lines.lineBreak(at: 0)
      let new = try pair(key, value, TextLayout(lineBreak: lineEnd, indent: unit))
      return [EditSplice(end..<end, endOfComments() + new + lineEnd)]
    }
    let end = try end(at: start)
    let isBroken = lines.hasLineEnd(in: start..<end)
    let isInline = lines.isInline(start, in: containers.dropLast().last) && !isBroken
    let outer = isInline ? [] : lines.lineBreak(at: start)
    let inner = isInline ? [] : outer + unit
    let layout = isInline ? Self.inline : TextLayout(lineBreak: inner, indent: unit)
    let comma: [UInt8] = isInline || container.isDictionary ? [] : [0x2C]
    let new = inner + (try pair(key, value, layout)) + comma
    // Behind comments, before the white space that is in front of the bracket.
    let place = lines.endOfContent(before: end - 1, from: start + 1)
    let isAtBreak = lines.hasLineEnd(in: place..<end - 1)
    return [EditSplice(place..<(isAtBreak ? place : end - 1), new + (isAtBreak ? [] : outer))]
  }

  // MARK: Removing and renaming

  func removing(_ item: EditItem, after previous: EditItem?, in containers: [EditContainer]) throws -> [EditSplice] {
    if item.key != nil { return [EditSplice(lines.withSpace(item.start..<(try pairEnd(item))))] }
    let end = try end(at: item.value.sourceOffset)
    if let comma = separator(0x2C, from: end) { return [EditSplice(lines.withSpace(item.start..<comma + 1))] }
    var splices = [EditSplice(lines.withSpace(item.start..<end))]
    // The comma behind the one before is not needed any more.
    if let previous, let comma = separator(0x2C, from: try self.end(at: previous.value.sourceOffset)) {
      splices.insert(EditSplice(comma..<comma + 1), at: 0)
    }
    return splices
  }

  func renaming(_ item: EditItem, to key: String) throws -> [EditSplice] {
    guard let start = item.key?.sourceOffset else { return [] }
    let range = start..<(try end(at: start))
    var new = keyText(key)
    // Of `key;` the value stays what it was.
    if item.value.sourceOffset == start { new += Self.assignment + lines.bytes(in: range) }
    return [EditSplice(range, new)]
  }

  // MARK: Text

  private func pair(_ key: String?, _ value: PropertyList, _ layout: TextLayout) throws -> [UInt8] {
    let text = try fragment(value, layout)
    guard let key else { return text }
    return keyText(key) + Self.assignment + text + [0x3B]
  }

  private func keyText(_ key: String) -> [UInt8] {
    var formatter = OpenStepFormatter(fragmentIn: .none, options: options, hasTypedValues: false)
    formatter.append(fragmentKey: key)
    return formatter.buffer.withSpan { bytes in (0..<bytes.byteCount).map { bytes.byte(at: $0) } }
  }

  private func fragment(_ value: PropertyList, _ layout: TextLayout) throws -> [UInt8] {
    let formatter = OpenStepFormatter(fragmentIn: layout, options: options, hasTypedValues: hasTypedValues)
    return try format(value, with: formatter, options, hasTypedValues ? .gnuStep : .openStep)
  }

  /// Whether `root` is a dictionary without braces.
  private func isStringsTable(_ root: PlistNode) -> Bool {
    let bytes = source.data.bytes
    let start = root.sourceOffset
    return root.kind == .dictionary && (start >= bytes.byteCount || bytes.byte(at: start) != 0x7B)
  }

  /// The offset of a comma or semicolon, where one comes next.
  private func separator(_ byte: UInt8, from offset: Int) -> Int? {
    let bytes = source.data.bytes
    let place = OpenStepScanner.skipSpace(bytes, from: offset)
    return place < bytes.byteCount && bytes.byte(at: place) == byte ? place : nil
  }

  /// The offset behind the semicolon of a pair.
  private func pairEnd(_ item: EditItem) throws(PlistError) -> Int {
    let end = try end(at: item.value.sourceOffset)
    return separator(0x3B, from: end).map { $0 + 1 } ?? end
  }

  /// The offset behind an element, and the comma behind it.
  private func elementEnd(_ item: EditItem) throws(PlistError) -> Int {
    let end = try end(at: item.value.sourceOffset)
    return separator(0x2C, from: end).map { $0 + 1 } ?? end
  }

  /// The offset behind the value, or the string that a key is, at `start`.
  private func end(at start: Int) throws(PlistError) -> Int {
    try end(of: OpenStepReader(limits: limits, from: start, isRoot: false), in: source) { $0.offset }
  }
}
