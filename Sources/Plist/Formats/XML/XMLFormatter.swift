#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Appends values to a buffer as XML; the order of the calls is not checked.
struct XMLFormatter: ~Copyable, DocumentFormatter {
  private var buffer: ByteBuffer
  private var realStyle: PlistWriteOptions.RealStyle
  private var escapesReturns: Bool
  /// Whether a date outside XML's range is replaced by the nearest one inside it.
  private var converts: Bool
  private var depth = 0
  /// The offset in ``buffer`` where the innermost container's contents begin; −1 if a closing tag has followed the last
  /// opening tag.
  ///
  /// If the buffer still ends there when the container does, the container is empty.
  var beginning = 0
  /// The key lines that `prepare(key:)` has formatted, without indentation, each preceded by its length in eight bytes
  /// and followed by spare bytes.
  private var keyLines = ByteBuffer(capacity: 0)

  init(options: PlistWriteOptions, format: PlistFormat) {
    realStyle = options.realStyle
    escapesReturns = options.xml.carriageReturns.isEscaped
    converts = options.unrepresentable == .convert
    buffer = ByteBuffer(capacity: 4096)
    buffer.append(XMLProlog.text)
  }

  init(copying other: borrowing XMLFormatter) {
    buffer = other.buffer.copy()
    realStyle = other.realStyle
    escapesReturns = other.escapesReturns
    converts = other.converts
    depth = other.depth
    beginning = other.beginning
    keyLines = other.keyLines.copy()
  }

  @inline(__always)
  func checkRoom(for byteCount: Int) throws(PlistWriteFailure) { try buffer.checkRoom(for: byteCount) }

  func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
    try buffer.withSpan(body)
  }

  /// Begins another document that reuses the prepared keys, after ``takeData()`` has returned the last one.
  ///
  /// - Returns: False if `options` spell keys differently, so the formatter can't be reused.
  mutating func restart(options: PlistWriteOptions) -> Bool {
    guard escapesReturns == options.xml.carriageReturns.isEscaped else { return false }
    realStyle = options.realStyle
    converts = options.unrepresentable == .convert
    depth = 0
    beginning = 0
    buffer.appendLine(tabs: 0, XMLProlog.text)
    return true
  }

  mutating func takeData() -> Data {
    finish()
    return buffer.takeData()
  }

  /// Whether the buffer ends with an opening tag, which becomes an empty-element tag if nothing follows, or with the
  /// start of a dictionary that may look like a UID.
  var isAtBeginning: Bool { buffer.count == beginning || mayBeUID(depth: depth) }

  /// Empties the buffer.
  ///
  /// Don't call this while ``isAtBeginning`` is true: the tag at the end of the buffer may still change.
  mutating func removeBytes() {
    buffer.removeAll()
    beginning = -1
  }

  mutating func finish() { buffer.appendLine(tabs: 0, "</plist>\n") }

  mutating func beginDictionary() {
    buffer.appendLine(tabs: depth, "<dict>\n")
    depth += 1
    beginning = buffer.count
  }

  mutating func beginArray() {
    buffer.appendLine(tabs: depth, "<array>\n")
    depth += 1
    beginning = buffer.count
  }

  mutating func endDictionary() throws(PlistWriteFailure) {
    let mayBeUID = mayBeUID(depth: depth)
    depth -= 1
    if buffer.count == beginning { return closeTag() }
    buffer.appendLine(tabs: depth, "</dict>\n")
    if mayBeUID, buffer.withSpan({ XMLReader.isInvalidUID($0, from: beginning) }) { throw .invalidUID }
    beginning = -1
  }

  mutating func endArray() {
    depth -= 1
    if buffer.count == beginning { return closeTag() }
    buffer.appendLine(tabs: depth, "</array>\n")
    beginning = -1
  }

  /// Whether the buffer ends with the start of a dictionary that may look like a UID: a short one whose first key
  /// begins with `CF$`.
  @inline(__always)
  private func mayBeUID(depth: Int) -> Bool {
    let count = buffer.count &- beginning
    guard beginning >= 0, count >= depth &+ 8, count < 2 &* depth &+ 256 else { return false }
    return buffer.word(at: beginning &+ depth) == 0x2446_433E_7965_6B3C  // "<key>CF$"
  }

  /// Turns the last tag into an empty-element tag, such as `<dict>` into `<dict/>`.
  private mutating func closeTag() {
    buffer.truncate(to: buffer.count - 2)
    buffer.append("/>\n")
    beginning = -1
  }

  @inline(__always)
  mutating func key(utf8 key: RawSpan) throws(PlistWriteFailure) {
    if append(key: key, isConstant: false) { throw .nul }
  }

  @inline(__always)
  mutating func string(utf8 string: RawSpan) throws(PlistWriteFailure) {
    if append(string, isConstant: false) { throw .nul }
  }

  // These two replace default implementations whose closures can throw, which saves 3 % of the instructions for value →
  // XML.

  @inline(__always)
  mutating func key(_ key: String) throws(PlistWriteFailure) {
    if key.withByteSpan({ append(key: $0, isConstant: true) }) { throw .nul }
  }

  @inline(__always)
  mutating func string(_ string: String) throws(PlistWriteFailure) {
    if string.withByteSpan({ append($0, isConstant: true) }) { throw .nul }
  }

  /// Appends a key, and returns whether it contains a NUL.
  @inline(__always)
  private mutating func append(key: RawSpan, isConstant: Bool) -> Bool {
    buffer.appendLine(
      tabs: depth, "<key>", escaping: key, isConstant: isConstant, escapesReturns: escapesReturns, "</key>\n")
  }

  /// Appends a string, and returns whether it contains a NUL.
  @inline(__always)
  private mutating func append(_ string: RawSpan, isConstant: Bool) -> Bool {
    buffer.appendLine(
      tabs: depth, "<string>", escaping: string, isConstant: isConstant, escapesReturns: escapesReturns, "</string>\n")
  }

  static var acceptsNull: Bool { false }
  static var preparesKeys: Bool { true }

  /// Whether there is room for `prepare(key:)` to format another key.
  var canPrepareKeys: Bool { keyLines.count < 1 << 16 }

  /// The number of spare bytes after each line, needed because lines are copied in whole words.
  private static var keyLineSlack: Int { ByteCursor.slack }

  private static var keyLineHeader: Int { 8 }

  mutating func prepare(key: String) throws(PlistWriteFailure) -> UInt32 {
    let start = keyLines.count
    keyLines.append(word: 0)
    let hasNUL = key.withByteSpan {
      keyLines.appendLine(
        tabs: 0, "<key>", escaping: $0, isConstant: true, escapesReturns: escapesReturns, "</key>\n")
    }
    if hasNUL { throw .nul }
    keyLines.set(word: UInt64(keyLines.count - start - Self.keyLineHeader), at: start)
    keyLines.append(0, times: Self.keyLineSlack)
    return UInt32(truncatingIfNeeded: start)
  }

  @inline(__always)
  mutating func key(prepared line: UInt32) {
    let start = Int(line) &+ Self.keyLineHeader
    let length = Int(truncatingIfNeeded: keyLines.word(at: Int(line)))
    buffer.appendLine(tabs: depth, start..<start + length, of: keyLines)
  }

  @inline(__always)
  mutating func scalar(_ scalar: PlistScalar) throws(PlistWriteFailure) {
    switch scalar {
    case .integer(let integer):
      buffer.appendLine(tabs: depth, "<integer>", upTo: 1 + ByteCursor.longestDecimal, "</integer>\n") { cursor in
        if integer.isNegative { cursor.put(0x2D) }
        cursor.put(decimal: integer.magnitude)
      }
    case .real(let real), .double(let real): append(real)
    case .float(let real): append(Double(real))
    case .boolean(true): buffer.appendLine(tabs: depth, "<true/>\n")
    case .boolean(false): buffer.appendLine(tabs: depth, "<false/>\n")
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      guard let fields = GregorianDate(secondsSinceReference: seconds, clamps: converts) else { throw .date }
      buffer.appendLine(tabs: depth, "<date>", upTo: ByteCursor.longestDate, "</date>\n") { $0.put(fields) }
    case .uid(let uid): append(uid)
    case .null: throw .null
    }
  }

  @inline(__always)
  private mutating func append(_ real: Double) {
    if real.isFinite, realStyle == .shortest {
      buffer.appendLine(tabs: depth, "<real>", upTo: ByteCursor.longestReal, "</real>\n") { $0.put(shortest: real) }
    } else {
      appendUncommon(real)
    }
  }

  @inline(never)
  private mutating func appendUncommon(_ real: Double) {
    buffer.appendLine(tabs: depth, "<real>")
    buffer.append(real: real, style: realStyle)
    buffer.append("</real>\n")
  }

  /// Appends base64 in lines of 76 characters, minus eight for each tab of indentation, up to eight tabs.
  mutating func data(_ data: Data) {
    let tabs = min(depth, 8)
    buffer.appendLine(tabs: depth, "<data>\n")
    buffer.append(base64: data.bytes, tabs: tabs, lineLength: (76 - 8 * tabs) / 4 * 3)
    buffer.appendLine(tabs: depth, "</data>\n")
  }

  private mutating func append(_ uid: PropertyListUID) {
    buffer.appendLine(tabs: depth, "<dict>\n")
    buffer.appendLine(tabs: depth + 1, "<key>CF$UID</key>\n")
    buffer.appendLine(tabs: depth + 1, "<integer>", upTo: ByteCursor.longestDecimal, "</integer>\n") {
      $0.put(decimal: UInt64(uid.value))
    }
    buffer.appendLine(tabs: depth, "</dict>\n")
  }
}
