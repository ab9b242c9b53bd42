#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Formats XML in any layout: fragments for an existing document, or whole documents in a layout that ``XMLFormatter``
/// does not write.
struct XMLFragmentFormatter: ~Copyable, PlistFormatter {
  private var buffer = ByteBuffer(capacity: 256)
  private let layout: TextLayout
  private let realStyle: PlistWriteOptions.RealStyle
  private let escapesReturns: Bool
  private let converts: Bool
  /// Whether base64 goes on separate lines between the tags.
  private let breaksData: Bool
  private var depth = 0
  /// The length of ``buffer`` right after the last opening tag, or −1 after the end of a container.
  ///
  /// If the length is still the same when a container ends, the container is empty.
  private var beginning = -1

  init(layout: TextLayout, options: PlistWriteOptions, breaksData: Bool) {
    self.layout = layout
    realStyle = options.realStyle
    escapesReturns = options.xml.carriageReturns.isEscaped
    converts = options.unrepresentable == .convert
    self.breaksData = breaksData
  }

  @inline(__always)
  func checkRoom(for byteCount: Int) throws(PlistWriteFailure) { try buffer.checkRoom(for: byteCount) }

  func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
    try buffer.withSpan(body)
  }

  private mutating func beginLine() {
    if depth > 0 { appendLineBreak() }
  }

  private mutating func appendLineBreak() {
    buffer.append(layout.lineBreak)
    for _ in 0..<depth { buffer.append(layout.indent) }
  }

  private mutating func begin(_ tag: StaticString) {
    beginLine()
    buffer.append(tag)
    depth += 1
    beginning = buffer.count
  }

  private mutating func end(_ tag: StaticString) {
    depth -= 1
    if buffer.count == beginning {
      // Remove the `>` of a tag such as `<dict>`, which becomes `<dict/>`.
      buffer.truncate(to: buffer.count - 1)
      buffer.append("/>")
    } else {
      appendLineBreak()
      buffer.append(tag)
    }
    beginning = -1
  }

  mutating func beginDictionary() { begin("<dict>") }
  mutating func endDictionary() throws(PlistWriteFailure) {
    let content = beginning
    end("</dict>")
    if content >= 0, buffer.withSpan({ XMLReader.isInvalidUID($0, from: content) }) { throw .invalidUID }
  }

  mutating func beginArray() { begin("<array>") }
  mutating func endArray() { end("</array>") }

  mutating func key(utf8 key: RawSpan) throws(PlistWriteFailure) { try append("<key>", key, "</key>") }
  mutating func string(utf8 string: RawSpan) throws(PlistWriteFailure) { try append("<string>", string, "</string>") }

  private mutating func append(_ open: StaticString, _ text: RawSpan, _ close: StaticString) throws(PlistWriteFailure) {
    beginLine()
    let hasNUL = buffer.appendLine(
      tabs: 0, open, escaping: text, isConstant: false, escapesReturns: escapesReturns, close)
    if hasNUL { throw .nul }
  }

  mutating func scalar(_ scalar: PlistScalar) throws(PlistWriteFailure) {
    switch scalar {
    case .integer(let integer):
      beginLine()
      buffer.append("<integer>")
      if integer.isNegative { buffer.append(0x2D) }
      buffer.append(decimal: integer.magnitude)
      buffer.append("</integer>")
    case .real(let real), .double(let real): append(real)
    case .float(let real): append(Double(real))
    case .boolean(let boolean):
      beginLine()
      buffer.append(boolean ? "<true/>" : "<false/>")
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      guard let fields = GregorianDate(secondsSinceReference: seconds, clamps: converts) else { throw .date }
      beginLine()
      buffer.append("<date>")
      buffer.append(fields)
      buffer.append("</date>")
    case .uid(let uid):
      beginDictionary()
      try key(PropertyListUID.dictionaryKey)
      try self.scalar(.integer(PropertyListInteger(UInt64(uid.value))))
      try endDictionary()
    case .null: throw .null
    }
  }

  private mutating func append(_ real: Double) {
    beginLine()
    buffer.append("<real>")
    buffer.append(real: real, style: realStyle)
    buffer.append("</real>")
  }

  mutating func data(_ data: Data) {
    beginLine()
    buffer.append("<data>")
    // As in Apple's writer, a line has 76 characters, minus 8 for each character of the indent, but at least 12.
    let indent = layout.lineBreak.count - 1 + depth * layout.indent.count
    let isBroken = breaksData && !layout.lineBreak.isEmpty
    let lineLength = isBroken ? max(12, 76 - 8 * min(indent, 8)) / 4 * 3 : max(3, (data.count + 2) / 3 * 3)
    var start = 0
    while start < data.count {
      if isBroken { appendLineBreak() }
      let line = data.dropFirst(start).prefix(lineLength)
      buffer.append(base64: line.bytes, tabs: 0, lineLength: lineLength)
      buffer.truncate(to: buffer.count - 1)
      start += lineLength
    }
    if isBroken { appendLineBreak() }
    buffer.append("</data>")
  }
}

extension XMLFragmentFormatter: DocumentFormatter {
  init(options: PlistWriteOptions, format: PlistFormat) {
    self.init(
      layout: TextLayout(indent: options.layout.indent ?? [0x09]), options: options,
      breaksData: options.xml.dataLines == .wrapped)
    buffer.append(XMLProlog.text)
  }

  init(copying other: borrowing XMLFragmentFormatter) {
    buffer = other.buffer.copy()
    layout = other.layout
    realStyle = other.realStyle
    escapesReturns = other.escapesReturns
    converts = other.converts
    breaksData = other.breaksData
    depth = other.depth
    beginning = other.beginning
  }

  /// The maximum length of a dictionary that looks like a UID, not counting indentation.
  private static var longestUID: Int { 256 }

  /// Whether the last tag can still become an empty element, or the last dictionary can still turn out to look like a
  /// UID.
  var isAtBeginning: Bool {
    beginning >= 0 && buffer.count - beginning < Self.longestUID + 3 * depth * layout.indent.count
  }

  mutating func removeBytes() {
    buffer.removeAll()
    beginning = -1
  }

  mutating func finish() { buffer.append("\n</plist>\n") }

  mutating func takeData() -> Data {
    finish()
    return buffer.takeData()
  }
}

extension PlistWriteOptions {
  /// Whether the layout is one that only ``XMLFragmentFormatter`` writes.
  var hasOwnXMLLayout: Bool { layout.indent.map { $0 != [0x09] } ?? false || xml.dataLines != .wrapped }
}
