#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The layout of OpenStep text, including its comments; for a project file, Xcode's layout.
struct OpenStepLayout {
  private let outline: DocumentOutline
  /// The names for the comments after identifiers in a project file; nil for other documents.
  private let names: ProjectNames?
  private var output: LayoutText
  private var open: [Frame] = []
  /// The comments that the document has on the objects of a project file.
  private var existing: [String: String] = [:]

  /// A container being written.
  private struct Frame {
    let item: Int
    let children: [Int]
    var next = 0
    /// Whether the container's items are written on one line.
    let isInline: Bool
    /// The key that determines whether strings in the container can refer to objects.
    let field: String?
    /// The class of the current section.
    var section: String?
    /// Whether the container holds the objects of a project file.
    var hasObjects = false
  }

  init(_ outline: DocumentOutline, _ names: ProjectNames?) {
    (self.outline, self.names) = (outline, names)
    output = LayoutText(outline.source)
  }

  func text() -> [UInt8] {
    var copy = self
    copy.write()
    return copy.output.bytes
  }

  private mutating func write() {
    var root = outline.items[0]
    if names != nil {
      output.append(ProjectFile.firstLine)
      if let first = root.before.first, isFirstLine(first) { root.before.removeFirst() }
      findComments()
    }
    output.append(lines: root.before, 0, isFirst: names == nil)
    let isTable = root.isContainer && root.value?.isEmpty == true
    if !isTable {
      output.beginLine(0, followsEmptyLine: root.followsEmptyLine && !root.before.isEmpty)
      appendValue(0, nil, 0, isInline: false)
    }
    if root.isContainer { push(0, nil, isInline: false) }
    while let frame = open.last {
      if frame.next < frame.children.count {
        open[open.count - 1].next += 1
        write(frame.children[frame.next], frame)
      } else {
        end(frame)
      }
    }
    if !isTable {
      for comment in root.afterValue + root.behind { output.append(inner: comment, 0) }
    }
    for case .comment(let comment) in outline.epilog {
      output.beginLine(0, followsEmptyLine: comment.followsEmptyLine)
      output.append(comment, 0)
    }
    output.append(output.lineEnd)
  }

  // MARK: Items

  /// The number of tabs before the items of the innermost container.
  private var depth: Int { open.count - (outline.items[0].value?.isEmpty == true ? 1 : 0) }

  private mutating func push(_ index: Int, _ field: String?, isInline: Bool) {
    var frame = Frame(
      item: index, children: ordered(index, field), isInline: isInline, field: field)
    frame.hasObjects = names != nil && open.count == 1 && field == "objects"
    open.append(frame)
  }

  private mutating func write(_ index: Int, _ frame: Frame) {
    let item = outline.items[index]
    let isFirst = frame.next == 0
    var comments = item.before
    if names != nil { comments.removeAll { ProjectFile.isMark(outline.source.data.bytes, $0.range) } }
    if frame.hasObjects { beginSection(of: index, frame) }
    if !frame.isInline {
      let keepsEmptyLines = names == nil
      for (number, comment) in comments.enumerated() {
        output.beginLine(
          depth, followsEmptyLine: keepsEmptyLines && comment.followsEmptyLine && !(isFirst && number == 0))
        output.append(comment, depth)
      }
      output.beginLine(
        depth, followsEmptyLine: keepsEmptyLines && item.followsEmptyLine && !(isFirst && comments.isEmpty))
    }
    var field = frame.field
    if let key = item.key {
      let name = names == nil ? nil : outline.string(key)
      appendText(key)
      if frame.hasObjects, let name {
        appendName(name, item.afterKey)
      } else {
        for comment in item.afterKey { output.append(inner: comment, depth) }
      }
      if item.value != nil { output.append(" = ") }
      for comment in item.beforeValue { output.append(inner: comment, depth, spaceAfter: true) }
      field = self.field(name, frame)
    }
    appendValue(index, field, depth, isInline: frame.isInline)
    if item.isContainer {
      push(index, field, isInline: frame.isInline || isOneLine(index, frame))
    } else {
      finish(index, frame)
    }
  }

  /// Returns the key that determines whether strings inside the pair with the key `name` are identifiers.
  private func field(_ name: String?, _ frame: Frame) -> String? {
    guard names != nil, let name else { return nil }
    if open.count == 1 { return name }
    if let field = frame.field, field == "attributes" || field == "buildSettings" { return field }
    return name
  }

  private mutating func appendValue(_ index: Int, _ field: String?, _ depth: Int, isInline: Bool) {
    let item = outline.items[index]
    guard let value = item.value else {
      for comment in item.afterValue { output.append(inner: comment, depth) }
      return
    }
    if item.isContainer {
      output.append(value)
      output.append(behind: item.opening, depth)
      return
    }
    appendText(value)
    guard index > 0 else { return }
    if let field, field == "rootObject" || ProjectFile.references.contains(field) {
      appendName(outline.string(value), item.afterValue)
    } else {
      for comment in item.afterValue { output.append(inner: comment, depth) }
    }
  }

  /// Appends the separator after an item, and the comments at the end of its line.
  private mutating func finish(_ index: Int, _ frame: Frame) {
    let isPair = outline.items[index].key != nil
    output.append(isPair ? ";" : ",")
    if frame.isInline { output.append(" ") }
    output.append(behind: outline.items[index].behind, depth)
  }

  private mutating func end(_ frame: Frame) {
    let item = outline.items[frame.item]
    if frame.section != nil { endSection(frame) }
    let closing =
      names == nil ? item.closing : item.closing.filter { !ProjectFile.isMark(outline.source.data.bytes, $0.range) }
    output.append(lines: closing, depth, isFirst: frame.children.isEmpty)
    open.removeLast()
    let isTable = open.isEmpty && item.value?.isEmpty == true
    if isTable { return }
    let isEmpty = frame.children.isEmpty && closing.isEmpty && item.opening.isEmpty && names == nil
    if !frame.isInline, !isEmpty { output.beginLine(depth) }
    if let end = item.end { output.append(end) }
    guard let parent = open.last else { return }
    for comment in item.afterValue { output.append(inner: comment, depth) }
    finish(frame.item, parent)
  }

  // MARK: Text

  /// Appends a string; in a project file, it has quotation marks only where Xcode writes them.
  private mutating func appendText(_ range: Range<Int>) {
    let bytes = outline.source.data.bytes
    guard names != nil, bytes.byte(at: range.lowerBound) != 0x3C, !OpenStepFormatter.isWord(bytes.extracting(range))
    else { return output.append(range) }
    var formatter = OpenStepFormatter(
      fragmentIn: .none, options: PlistWriteOptions(), hasTypedValues: false, isQuoted: false)
    formatter.append(fragmentKey: outline.string(range))
    output.append(formatter.withBytes { [UInt8](copying: $0) })
  }

  // MARK: Project files

  private func isFirstLine(_ comment: DocumentOutline.Comment) -> Bool {
    comment.range.count == ProjectFile.firstLine.utf8CodeUnitCount
      && outline.source.data.bytes.hasBytes(ProjectFile.firstLine, at: comment.range.lowerBound)
  }

  /// Returns the items of a container in the order in which to write them.
  private func ordered(_ index: Int, _ field: String?) -> [Int] {
    let children = outline.items[index].children
    guard names != nil, let first = children.first, outline.items[first].key != nil else { return children }
    let isObjects = open.count == 1 && field == "objects"
    let keys = children.map { child -> (section: String, key: String) in
      let key = outline.items[child].key.map(outline.string) ?? ""
      return (isObjects ? className(child) : key == "isa" ? "" : "1", key)
    }
    func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
    return children.indices.sorted { one, other in
      let (first, second) = (keys[one], keys[other])
      if first.section != second.section { return precedes(first.section, second.section) }
      return first.key == second.key ? one < other : precedes(first.key, second.key)
    }.map { children[$0] }
  }

  private func className(_ object: Int) -> String {
    for pair in outline.items[object].children {
      guard let key = outline.items[pair].key, outline.string(key) == "isa", let value = outline.items[pair].value
      else {
        continue
      }
      return outline.string(value)
    }
    return ""
  }

  private mutating func beginSection(of object: Int, _ frame: Frame) {
    let name = className(object)
    if frame.section == name { return }
    if frame.section != nil { endSection(frame) }
    output.append(output.lineEnd)
    output.beginLine(0)
    output.append(Array("/* Begin \(name) section */".utf8))
    open[open.count - 1].section = name
  }

  private mutating func endSection(_ frame: Frame) {
    output.beginLine(0)
    output.append(Array("/* End \(frame.section ?? "") section */".utf8))
  }

  /// Whether an object is written on one line, as build files and file references without comments are.
  private func isOneLine(_ index: Int, _ frame: Frame) -> Bool {
    guard frame.hasObjects, ["PBXBuildFile", "PBXFileReference"].contains(className(index)) else { return false }
    var pending = [index]
    while let next = pending.popLast() {
      let item = outline.items[next]
      let comments = item.opening + item.closing + item.beforeValue
      if !comments.isEmpty { return false }
      if next != index, !item.before.isEmpty || !item.behind.isEmpty { return false }
      if (item.afterKey + item.afterValue).contains(where: { isLine($0) }) { return false }
      pending += item.children
    }
    return true
  }

  private func isLine(_ comment: DocumentOutline.Comment) -> Bool {
    outline.source.data.bytes.hasBytes("//", at: comment.range.lowerBound)
  }

  /// Collects the comments after the identifiers of objects, because some of the names are known only to Xcode.
  private mutating func findComments() {
    for pair in outline.items[0].children {
      guard let key = outline.items[pair].key, outline.string(key) == "objects" else { continue }
      for object in outline.items[pair].children {
        let item = outline.items[object]
        guard let key = item.key, let comment = item.afterKey.first, !isLine(comment) else { continue }
        existing[outline.string(key)] = text(of: comment)
      }
    }
  }

  private func text(of comment: DocumentOutline.Comment) -> String? {
    let text = String(utf8: outline.source.data.bytes, in: comment.range)
    guard text.hasPrefix("/* "), text.hasSuffix(" */"), text.utf8.count >= 6 else { return nil }
    return String(text.dropFirst(3).dropLast(3))
  }

  /// Appends the comment that names an identifier's object, in place of an existing one.
  private mutating func appendName(_ identifier: String, _ comments: [DocumentOutline.Comment]) {
    let name = names?.comment(on: identifier, existing: existing[identifier])
    guard let name, !name.contains("*/"), !name.contains(where: \.isNewline) else {
      for comment in comments { output.append(inner: comment, depth) }
      return
    }
    output.append(Array(" /* \(name) */".utf8))
    // All other comments are kept.
    for comment in comments.dropFirst() { output.append(inner: comment, depth) }
    if let first = comments.first, isLine(first) || text(of: first) == nil { output.append(inner: first, depth) }
  }
}
