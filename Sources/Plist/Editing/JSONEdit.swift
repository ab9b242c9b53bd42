#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Edits to JSON, including string catalogs (`.xcstrings`).
///
/// A new pair copies the white space around its colon, as in `"key" : value`, from the nearest existing pair.
struct JSONEdit: DocumentEdit {
  let source: PlistSource
  let lines: EditLines
  let scans: EditScans
  let options: PlistWriteOptions
  let limits: PlistLimits
  let removed: RemovedText
  let spelling: ItemSpelling?

  private static let comma: [UInt8] = [0x2C]

  func replacing(_ item: EditItem, in containers: [EditContainer], by value: PropertyList) throws(PlistError)
    -> [EditSplice]
  {
    let start = item.value.sourceOffset
    let colon = try colon(in: containers, item.value)
    let layout = layout(at: start, isInline: lines.isInline(start, in: containers.last), colon, containers)
    let spelled = value.isContainer ? spelling?.text(layout, in: source.encoding)?.item : nil
    let new = if let spelled { spelled } else { try fragment(value, layout, colon) }
    return [EditSplice(start..<(try end(at: start)), new)]
  }

  // MARK: Inserting

  func inserting(
    _ value: PropertyList, key: String?, at place: EditPlace, in containers: [EditContainer]
  ) throws(PlistError) -> [EditSplice] {
    guard let container = containers.last else { return [] }
    let colon = try colon(in: containers)
    guard let last = container.last else { return try insertingFirst(value, key: key, colon, in: containers) }
    let neighbour = place.neighbour ?? last
    let spacing = try spacing(before: neighbour, in: container, colon)
    let isInline = !spacing.contains(where: EditLines.isLineEnd)
    let new = try pair(key, value, layout(at: neighbour.start, isInline: isInline, colon, containers), colon)
    if case .before(let next) = place { return [EditSplice(next.start..<next.start, new + Self.comma + spacing)] }
    let end = try end(at: neighbour.value.sourceOffset)
    if place.neighbour != nil, let comma = comma(after: end) {
      return [EditSplice(comma + 1..<comma + 1, spacing + new + Self.comma)]
    }
    return [EditSplice(end..<end, Self.comma + spacing + new)]
  }

  /// Returns the white space before `item`: the line end and indent if it begins a line, otherwise the white space
  /// between the container's last two items.
  ///
  /// If it is the only item, the result is a space if `colon` ends with white space, and empty if `colon` ends with
  /// `:`.
  private func spacing(
    before item: EditItem, in container: EditContainer, _ colon: [UInt8]
  ) throws(PlistError) -> [UInt8] {
    if lines.beginsLine(item.start) { return lines.lineBreak(at: item.start) }
    let space: [UInt8] = colon.last == 0x3A ? [] : [0x20]
    guard let before = container.beforeLast, let last = container.last else { return space }
    guard let comma = comma(after: try end(at: before.value.sourceOffset)) else { return space }
    return lines.isSpace(in: comma + 1..<last.start) ? lines.bytes(in: comma + 1..<last.start) : space
  }

  /// Inserts a container's first item, replacing the white space between the brackets.
  private func insertingFirst(
    _ value: PropertyList, key: String?, _ colon: [UInt8], in containers: [EditContainer]
  ) throws(PlistError) -> [EditSplice] {
    guard let node = containers.last?.node else { return [] }
    let start = node.sourceOffset
    let end = try end(at: start)
    let isInline = lines.isInline(start, in: containers.dropLast().last) && !lines.hasLineEnd(in: start..<end)
    let unit = lines.unit(in: containers)
    let outer = isInline ? [] : lines.lineBreak(at: start)
    let inner = isInline ? [] : outer + unit
    let layout = isInline ? TextLayout.none : TextLayout(lineBreak: inner, indent: unit)
    return [EditSplice(start + 1..<end - 1, inner + (try pair(key, value, layout, colon)) + outer)]
  }

  // MARK: Removing and renaming

  func removing(_ item: EditItem, after previous: EditItem?) throws(PlistError) -> [EditSplice] {
    let end = try end(at: item.value.sourceOffset)
    return try removingElement(item.start..<end, after: previous, lines, comma: comma)
  }

  func renaming(_ item: EditItem, to key: String) throws(PlistError) -> [EditSplice] {
    guard let start = item.key?.sourceOffset else { return [] }
    return [EditSplice(start..<(try end(at: start)), try fragment(.string(key), .none, []))]
  }

  // MARK: Text

  /// Returns the bytes between the key and value of a new pair, copied from the nearest existing pair.
  ///
  /// The candidates are the first pair of each container, innermost first, and then the first pair of `value`. The
  /// first candidate without a line end before its value is used; if there is none, the result is `": "`.
  private func colon(in containers: [EditContainer], _ value: PlistNode? = nil) throws(PlistError) -> [UInt8] {
    var items = containers.reversed().compactMap(\.first)
    if let value, value.kind == .dictionary, let first = EditContainer(value, component: "").first {
      items.append(first)
    }
    for item in items {
      guard let key = item.key else { continue }
      let range = try end(at: key.sourceOffset)..<item.value.sourceOffset
      if !lines.hasLineEnd(in: range) { return lines.bytes(in: range) }
    }
    return [0x3A, 0x20]
  }

  /// Returns the layout of a new value: one line if `isInline` is true, otherwise lines indented like the one at
  /// `sibling`.
  private func layout(
    at sibling: Int, isInline: Bool, _ colon: [UInt8], _ containers: [EditContainer]
  ) -> TextLayout {
    if !isInline { return TextLayout(lineBreak: lines.lineBreak(at: sibling), indent: lines.unit(in: containers)) }
    return colon.last == 0x3A ? .none : TextLayout(lineBreak: [0x20], indent: [])
  }

  private func pair(
    _ key: String?, _ value: PropertyList, _ layout: TextLayout, _ colon: [UInt8]
  ) throws(PlistError) -> [UInt8] {
    if let spelled = spelling?.text(layout, in: source.encoding) { return spelled.item }
    let text = try fragment(value, layout, colon)
    guard let key else { return text }
    return try fragment(.string(key), .none, []) + colon + text
  }

  private func fragment(_ value: PropertyList, _ layout: TextLayout, _ colon: [UInt8]) throws(PlistError) -> [UInt8] {
    try format(value, with: JSONFormatter(fragmentIn: layout, colon: colon, options: options), options, .json)
  }

  /// Returns the offset of the comma after `offset`, or nil if anything but white space comes first or a pending edit
  /// has removed the comma.
  private func comma(after offset: Int) -> Int? {
    let bytes = source.data.bytes
    let position = JSONScanner.skipSpace(bytes, from: offset)
    guard position < bytes.byteCount, bytes.byte(at: position) == 0x2C, !removed.separators.contains(position) else {
      return nil
    }
    return position
  }

  func end(at start: Int) throws(PlistError) -> Int {
    try scans.end(ofValueAt: start) { () throws(PlistError) in
      try end(of: JSONReader(limits: limits, from: start), in: source) { $0.offset }
    }
  }
}
