#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Rewrites documents in the usual layout of their kind, without changing values or comments.
///
/// - An Xcode project file gets Xcode's layout: sorted sections of objects, build files and file references on one
///   line, and comments after identifiers.
/// - Other OpenStep text, `.strings` files and XML keep their order, the spelling of strings and numbers, and empty
///   lines between items. Each item gets its own lines, and data in XML is divided into lines as Apple's writers do.
/// - JSON is indented by two spaces, and a string catalog is written as Xcode writes it.
/// - A binary document has no layout, so it is returned unchanged.
package struct DocumentLayout {
  /// The file's path, whose extension identifies a string catalog, and whose folder can give the name of a project.
  private let path: String?
  private let options: PlistReadOptions

  package init(path: String?, options: PlistReadOptions = PlistReadOptions()) {
    (self.path, self.options) = (path, options)
  }

  /// Returns a document in its usual layout.
  ///
  /// - Throws: ``PlistError`` if the document is malformed, if it is JSON with a repeated key, or if it contains
  ///   something between values that has no place in the layout, such as a processing instruction.
  /// - Complexity: O(*n* log *n*) in the length of the document.
  package func applied(to data: Data) throws(PlistError) -> Data {
    var options = options
    options.signedDocuments = .refuse
    let document = try PlistDocument(parsing: data, options: options)
    if document.format == .binary { return data }
    try document.checkText()
    options.format = document.format
    if document.format == .json { options.duplicateKeys = .refuse }
    let value = try PropertyList(parsing: data, options: options)
    let text: [UInt8]
    if document.format == .json {
      text = Array(try value.data(format: .json, options: jsonOptions(value)))
    } else {
      guard let outline = DocumentOutline(document.index.source, document.format, options, value) else {
        throw PlistError(
          code: .unsupportedFormat,
          message: "the document has something between its values that has no place in the usual layout",
          format: document.format)
      }
      if document.format == .xml {
        text = XMLLayout(outline).text()
      } else if let project = ProjectFile(value) {
        text = OpenStepLayout(outline, ProjectNames(project, projectName: projectName)).text()
      } else {
        text = OpenStepLayout(outline, nil).text()
      }
    }
    let result = document.index.source.encoded(text, as: data)
    // A layout must never change a value, so refuse to return text that reads back differently.
    guard (try? PropertyList(parsing: result, options: options)) == value else {
      throw PlistError(
        code: .unrepresentableValue, message: "the document cannot be formatted without a change of its values",
        format: document.format)
    }
    return result
  }

  /// The name of the project whose folder, such as `App.xcodeproj`, contains the file.
  private var projectName: String? {
    let folder = path?.split(separator: "/").dropLast().last
    return folder.flatMap { $0.hasSuffix(".xcodeproj") ? String($0.dropLast(10)) : nil }
  }

  private func jsonOptions(_ value: PropertyList) -> PlistWriteOptions {
    var options = PlistWriteOptions()
    let isCatalog = path?.hasSuffix(".xcstrings") ?? (value["sourceLanguage"] != nil && value["strings"] != nil)
    if isCatalog {
      options.sortedKeys = true
      options.layout = .xcode
    }
    return options
  }
}

extension PlistSource {
  /// Returns UTF-8 text converted to the encoding of the document `data`, with the document's byte-order mark.
  func encoded(_ text: [UInt8], as data: Data) -> Data {
    var buffer = ByteBuffer(capacity: text.count * encoding.unitWidth + 4)
    buffer.append(data.bytes.extracting(0..<start.offset))
    text.withByteSpan { buffer.append(utf8: $0, in: encoding) }
    return buffer.data()
  }
}

/// Text in a layout, assembled from ranges of a document.
struct LayoutText {
  private let source: PlistSource
  private let lines: EditLines
  let lineEnd: [UInt8]
  private(set) var bytes: [UInt8] = []

  init(_ source: PlistSource) {
    self.source = source
    lines = EditLines(source)
    lineEnd = Self.lineEnd(in: source.data.bytes)
    bytes.reserveCapacity(source.data.count)
  }

  /// Returns the line end of a text: LF, unless each LF follows a CR, or there are only CRs.
  ///
  /// This way, the text in its new layout has the same line end, whatever its strings contain.
  private static func lineEnd(in bytes: RawSpan) -> [UInt8] {
    var position = bytes.firstOffset(of: 0x0A, from: 0)
    if position == bytes.byteCount {
      return bytes.firstOffset(of: 0x0D, from: 0) < bytes.byteCount ? [0x0D] : [0x0A]
    }
    while position < bytes.byteCount {
      if position == 0 || bytes.byte(at: position - 1) != 0x0D { return [0x0A] }
      position = bytes.firstOffset(of: 0x0A, from: position + 1)
    }
    return [0x0D, 0x0A]
  }

  mutating func append(_ text: StaticString) {
    for offset in 0..<text.utf8CodeUnitCount { bytes.append(text.byte(at: offset)) }
  }

  mutating func append(_ text: [UInt8]) { bytes += text }

  mutating func append(_ range: Range<Int>) { bytes.append(copying: source.data.bytes.extracting(range)) }

  /// Begins a line, after an empty line if `followsEmptyLine` is true.
  mutating func beginLine(_ depth: Int, followsEmptyLine: Bool = false) {
    if !bytes.isEmpty { bytes += lineEnd }
    if followsEmptyLine, !bytes.isEmpty { bytes += lineEnd }
    bytes.append(contentsOf: repeatElement(0x09, count: depth))
  }

  /// Appends a comment, moving its other lines along with the first.
  mutating func append(_ comment: DocumentOutline.Comment, _ depth: Int) {
    var text = lines.bytes(in: comment.range)
    while let last = text.last, EditLines.isLineEnd(last) || last == 0x20 || last == 0x09 { text.removeLast() }
    let indent = [UInt8](repeating: 0x09, count: depth)
    bytes += ItemSpelling.moved(text, from: lines.lineBreak(at: comment.range.lowerBound), to: lineEnd + indent)
  }

  /// Appends a comment inside an item, and the white space that has to surround it.
  mutating func append(inner comment: DocumentOutline.Comment, _ depth: Int, spaceAfter: Bool = false) {
    if let last = bytes.last, last != 0x20, last != 0x09 { bytes.append(0x20) }
    append(comment, depth)
    if source.data.bytes.hasBytes("//", at: comment.range.lowerBound) {
      beginLine(depth)
    } else if spaceAfter {
      bytes.append(0x20)
    }
  }

  mutating func append(lines comments: [DocumentOutline.Comment], _ depth: Int, isFirst: Bool) {
    for (index, comment) in comments.enumerated() {
      beginLine(depth, followsEmptyLine: comment.followsEmptyLine && !(isFirst && index == 0))
      append(comment, depth)
    }
  }

  mutating func append(behind comments: [DocumentOutline.Comment], _ depth: Int) {
    for comment in comments {
      bytes.append(0x20)
      append(comment, depth)
    }
  }
}

/// Apple's layout of XML, including comments.
struct XMLLayout {
  private let outline: DocumentOutline
  private var output: LayoutText

  init(_ outline: DocumentOutline) {
    self.outline = outline
    output = LayoutText(outline.source)
  }

  func text() -> [UInt8] {
    var copy = self
    copy.write()
    return copy.output.bytes
  }

  private mutating func write() {
    write(outline.prolog)
    // The root has the same indentation as `<plist>`.
    var open: [(item: Int, next: Int)] = []
    begin(0, isFirst: true, 0)
    if outline.items[0].isContainer { open.append((0, 0)) }
    while let (index, next) = open.last {
      let container = outline.items[index]
      guard next < container.children.count else {
        open.removeLast()
        end(index, open.count)
        continue
      }
      open[open.count - 1].next += 1
      let child = container.children[next]
      begin(child, isFirst: next == 0, open.count)
      if isOpen(child) { open.append((child, 0)) } else { finish(child, open.count) }
    }
    write(outline.epilog)
    output.append(output.lineEnd)
  }

  private mutating func write(_ markup: [DocumentOutline.Markup]) {
    for piece in markup {
      switch piece {
      case .tag(let range):
        output.beginLine(0)
        output.append(range)
      case .comment(let comment):
        output.beginLine(0, followsEmptyLine: comment.followsEmptyLine)
        output.append(comment, 0)
      }
    }
  }

  private func isOpen(_ index: Int) -> Bool {
    let item = outline.items[index]
    return item.isContainer && !(item.children.isEmpty && item.closing.isEmpty && item.opening.isEmpty)
  }

  private mutating func begin(_ index: Int, isFirst: Bool, _ depth: Int) {
    let item = outline.items[index]
    output.append(lines: item.before, depth, isFirst: isFirst)
    output.beginLine(depth, followsEmptyLine: item.followsEmptyLine && !(isFirst && item.before.isEmpty))
    if let key = item.key {
      output.append(key)
      output.append(lines: item.afterKey, depth, isFirst: true)
      output.beginLine(depth)
    }
    guard let value = item.value else { return }
    if item.isContainer, !isOpen(index) {
      appendTag(value, "/>")
    } else if item.isContainer {
      appendTag(value, ">")
      output.append(behind: item.opening, depth)
    } else {
      appendScalar(value, depth)
    }
  }

  private mutating func end(_ index: Int, _ depth: Int) {
    let item = outline.items[index]
    if !isOpen(index) { return }
    output.append(lines: item.closing, depth + 1, isFirst: item.children.isEmpty)
    output.beginLine(depth)
    output.append(outline.source.data.bytes.hasBytes("<dict", at: item.value?.lowerBound ?? 0) ? "</dict>" : "</array>")
    finish(index, depth)
  }

  private mutating func finish(_ index: Int, _ depth: Int) {
    output.append(behind: outline.items[index].behind, depth)
  }

  /// Appends an opening tag with a different ending, without white space before it.
  private mutating func appendTag(_ tag: Range<Int>, _ ending: StaticString) {
    let bytes = outline.source.data.bytes
    var end = tag.upperBound - 1
    while end > tag.lowerBound, XMLScanner.isSpace(bytes.byte(at: end - 1)) || bytes.byte(at: end - 1) == 0x2F {
      end -= 1
    }
    output.append(tag.lowerBound..<end)
    output.append(ending)
  }

  private mutating func appendScalar(_ value: Range<Int>, _ depth: Int) {
    let bytes = outline.source.data.bytes
    if bytes.hasBytes("/>", at: value.upperBound - 2),
      bytes.firstOffset(of: 0x3E, from: value.lowerBound) == value.upperBound - 1
    {
      return appendTag(value, "/>")
    }
    guard bytes.hasBytes("<data>", at: value.lowerBound), let data = Self.data(bytes, value) else {
      return output.append(value)
    }
    var formatter = XMLFragmentFormatter(
      layout: TextLayout(lineBreak: [0x0A] + [UInt8](repeating: 0x09, count: depth), indent: [0x09]),
      options: PlistWriteOptions(), breaksData: true)
    formatter.data(data)
    for byte in formatter.withBytes({ [UInt8](copying: $0) }) {
      output.append(byte == 0x0A ? output.lineEnd : [byte])
    }
  }

  /// Returns the data of an element, or nil if the element contains comments or other unusual text.
  private static func data(_ bytes: RawSpan, _ element: Range<Int>) -> Data? {
    var text: [UInt8] = []
    var position = element.lowerBound + 6
    while position < element.upperBound, bytes.byte(at: position) != 0x3C {
      if !XMLScanner.isSpace(bytes.byte(at: position)) { text.append(bytes.byte(at: position)) }
      position += 1
    }
    guard bytes.hasBytes("</data", at: position) else { return nil }
    return Data(base64Encoded: Data(text))
  }
}
