#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Edits to XML.
struct XMLEdit: DocumentEdit {
  let source: PlistSource
  let lines: EditLines
  let scans: EditScans
  let options: PlistWriteOptions
  let limits: PlistLimits
  let spelling: ItemSpelling?

  // MARK: Replacing

  func replacing(_ item: EditItem, in containers: [EditContainer], by value: PropertyList) throws(PlistError)
    -> [EditSplice]
  {
    let start = item.value.sourceOffset
    let end = try end(at: start)
    let isInline = lines.isInline(start, in: containers.last)
    let unit = lines.unit(in: containers)
    let layout = isInline ? TextLayout.none : TextLayout(lineBreak: lines.lineBreak(at: start), indent: unit)
    // Data on a single line stays on a single line.
    let breaksData = item.value.kind != .data || lines.hasLineEnd(in: start..<end)
    if value.isContainer, let new = spelling?.text(layout, in: source.encoding)?.item {
      return [EditSplice(start..<end, new)]
    }
    let new = try fragment(value, layout, breaksData: breaksData)
    return [replacement(of: start..<end, by: new, value)]
  }

  /// Returns the splice that replaces the element in `range` with `new`, an element for `value`.
  ///
  /// If both elements have the same type, only the content is replaced, so the tags keep their attributes.
  private func replacement(of range: Range<Int>, by new: [UInt8], _ value: PropertyList) -> EditSplice {
    let bytes = source.data.bytes
    guard let tag = try? XMLScanner.openTag(bytes, at: range.lowerBound), let content = Self.content(of: new) else {
      return EditSplice(range, new)
    }
    switch (tag.element, value) {
    case (.string, .string), (.key, .string), (.integer, .integer), (.real, .real), (.date, .date), (.data, .data):
      if tag.isEmpty { return filling(tag, at: range.lowerBound, with: content) }
      var close = range.upperBound - 1
      while bytes.byte(at: close) != 0x3C { close -= 1 }
      return EditSplice(tag.end..<close, content)
    default: return EditSplice(range, new)
    }
  }

  /// Returns the splice that gives content to an empty-element tag: `<dict a="b" />` loses its slash and keeps its
  /// attributes.
  private func filling(_ tag: XMLTag, at start: Int, with content: [UInt8]) -> EditSplice {
    let bytes = source.data.bytes
    var slash = tag.end - 2
    while slash > start + 1, XMLScanner.isSpace(bytes.byte(at: slash - 1)) || bytes.byte(at: slash - 1) == 0x2F {
      slash -= 1
    }
    let name = tag.element.name
    let closing = (0..<name.utf8CodeUnitCount).map { name.byte(at: $0) }
    return EditSplice(slash..<tag.end, [0x3E] + content + [0x3C, 0x2F] + closing + [0x3E])
  }

  /// Returns the bytes between the tags of an element without attributes.
  private static func content(of element: [UInt8]) -> [UInt8]? {
    guard let open = element.firstIndex(of: 0x3E), let close = element.lastIndex(of: 0x3C), open < close else {
      return nil
    }
    return Array(element[(open + 1)..<close])
  }

  // MARK: Inserting

  func inserting(
    _ value: PropertyList, key: String?, at place: EditPlace, in containers: [EditContainer]
  ) throws(PlistError) -> [EditSplice] {
    guard let container = containers.last else { return [] }
    if case .before(let next) = place {
      try checkIsAlone(next, endingAt: try end(at: next.value.sourceOffset))
      let spacing = spacing(before: next, in: container)
      let layout = layout(at: next.start, spacing, containers)
      let new = try pair(key, value, layout, between: try innerSpacing(of: next, spacing))
      let start = CommentSite(before: next.value)?.itemStart ?? next.start
      return [EditSplice(start..<start, new + spacing)]
    }
    guard let last = place.neighbour ?? container.last else {
      return try insertingFirst(value, key: key, in: containers)
    }
    let endOfLast = try end(at: last.value.sourceOffset)
    try checkIsAlone(last, endingAt: endOfLast)
    let spacing = spacing(before: last, in: container)
    let layout = layout(at: last.start, spacing, containers)
    let end = lines.behindComments(endOfLast, beginning: "<!--", ending: "-->")
    return [
      EditSplice(
        end..<end, spacing + (try pair(key, value, layout, between: try innerSpacing(of: last, spacing))))
    ]
  }

  /// Returns the white space before `item`: the line end and indent if it begins a line, otherwise the white space
  /// between the container's last two items.
  private func spacing(before item: EditItem, in container: EditContainer) -> [UInt8] {
    if lines.beginsLine(item.start) { return lines.lineBreak(at: item.start) }
    guard let before = container.beforeLast, let last = container.last,
      let end = try? end(at: before.value.sourceOffset),
      lines.isSpace(in: end..<last.start)
    else { return [] }
    return lines.bytes(in: end..<last.start)
  }

  /// Returns the white space between the key and the value of `item`, or `spacing` if there is anything else between
  /// them; empty if the item has no key.
  private func innerSpacing(of item: EditItem, _ spacing: [UInt8]) throws(PlistError) -> [UInt8] {
    guard let key = item.key else { return [] }
    let range = try end(at: key.sourceOffset)..<item.value.sourceOffset
    return lines.isSpace(in: range) ? lines.bytes(in: range) : spacing
  }

  private func layout(at sibling: Int, _ spacing: [UInt8], _ containers: [EditContainer]) -> TextLayout {
    let isInline = !spacing.contains { $0 == 0x0A || $0 == 0x0D }
    return isInline ? .none : TextLayout(lineBreak: lines.lineBreak(at: sibling), indent: lines.unit(in: containers))
  }

  private func insertingFirst(
    _ value: PropertyList, key: String?, in containers: [EditContainer]
  ) throws(PlistError) -> [EditSplice] {
    guard let container = containers.last else { return [] }
    let bytes = source.data.bytes
    let start = container.node.sourceOffset
    let end = try end(at: start)
    let tag: XMLTag
    do { tag = try XMLScanner.openTag(bytes, at: start) } catch {
      preconditionFailure("the container does not begin with a tag")
    }
    let isInline = lines.isInline(start, in: containers.dropLast().last) && !lines.hasLineEnd(in: start..<end)
    let outer = isInline ? [] : lines.lineBreak(at: start)
    let unit = lines.unit(in: containers)
    let inner = isInline ? [] : outer + unit
    let layout = isInline ? TextLayout.none : TextLayout(lineBreak: inner, indent: unit)
    let new = inner + (try pair(key, value, layout, between: inner))
    if tag.isEmpty { return [filling(tag, at: start, with: new + outer)] }
    var close = end - 1
    while bytes.byte(at: close) != 0x3C { close -= 1 }
    let position = lines.endOfContent(before: close, from: tag.end)
    let isBroken = lines.hasLineEnd(in: position..<close)
    return [EditSplice(position..<(isBroken ? position : close), new + (isBroken ? [] : outer))]
  }

  // MARK: Removing and renaming

  func removing(_ item: EditItem, after previous: EditItem?) throws(PlistError) -> [EditSplice] {
    let end = try end(at: item.value.sourceOffset)
    try checkIsAlone(item, endingAt: end)
    return [EditSplice(lines.withSpace(item.start..<end))]
  }

  /// Throws if a value in a container has its own `<plist>` element.
  ///
  /// Apple's reader accepts these elements, so the document can be opened, but the value cannot be edited.
  private func checkIsAlone(_ item: EditItem, endingAt end: Int) throws(PlistError) {
    let bytes = source.data.bytes
    var position = end
    while true {
      position = XMLScanner.skipSpace(bytes, from: position)
      guard bytes.hasBytes("<!", at: position) || bytes.hasBytes("<?", at: position),
        let end = try? XMLScanner.skipMarkup(bytes, at: position, allowsDocumentType: false)
      else { break }
      position = end
    }
    guard bytes.hasBytes("</plist", at: position) else { return }
    throw PlistError(
      code: .unexpectedElement, message: "a value inside a nested <plist> element cannot be edited",
      format: .xml, offset: item.start, path: nil, source: source)
  }

  func renaming(_ item: EditItem, to key: String) throws(PlistError) -> [EditSplice] {
    guard let start = item.key?.sourceOffset else { return [] }
    let range = start..<(try end(at: start))
    return [replacement(of: range, by: Self.key(try keyText(key)), .string(key))]
  }

  // MARK: Elements

  private func pair(
    _ key: String?, _ value: PropertyList, _ layout: TextLayout, between spacing: [UInt8]
  ) throws(PlistError) -> [UInt8] {
    if let spelled = spelling?.text(layout, in: source.encoding) { return spelled.item + spelled.trail }
    let element = try fragment(value, layout)
    guard let key else { return element }
    return Self.key(try keyText(key)) + spacing + element
  }

  private func keyText(_ key: String) throws(PlistError) -> [UInt8] {
    Self.content(of: try fragment(.string(key), .none)) ?? []
  }

  private static func key(_ text: [UInt8]) -> [UInt8] { Array("<key>".utf8) + text + Array("</key>".utf8) }

  private func fragment(_ value: PropertyList, _ layout: TextLayout, breaksData: Bool = true) throws(PlistError)
    -> [UInt8]
  {
    let formatter = XMLFragmentFormatter(layout: layout, options: options, breaksData: breaksData)
    if options.xml.controlCharacters == .raw { return try format(value, with: formatter, options, .xml) }
    return try format(value, with: XMLCharacterFilter(formatter, options), options, .xml)
  }

  func end(at start: Int) throws(PlistError) -> Int {
    try scans.end(ofValueAt: start) { () throws(PlistError) in
      // The document has already been read with the policy from its options, so any date is fine here.
      try end(of: XMLReader(limits: limits, from: start, dates: .foundation), in: source) { $0.offset }
    }
  }
}
