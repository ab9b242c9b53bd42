#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct OpenStepFormatter: ~Copyable, DocumentFormatter {
  private var output: TextOutput
  private let realStyle: PlistWriteOptions.RealStyle
  private let hasTypedValues: Bool
  private let converts: Bool
  private let isStringsTable: Bool
  private let isFragment: Bool
  /// Whether a key or string for an existing document always gets quotation marks.
  private let quotesFragment: Bool
  /// Whether the first item of a container follows the opening bracket directly, as in Xcode's one-line objects.
  private let isTight: Bool
  let encoding: TextEncoding

  init(options: PlistWriteOptions, format: PlistFormat) {
    output = TextOutput(
      isCompact: options.layout == .compact, layout: TextLayout(indent: options.layout.indent ?? [0x09]))
    realStyle = options.realStyle
    hasTypedValues = format == .gnuStep
    converts = options.unrepresentable == .convert
    isStringsTable = options.openStep.isStringsTable
    isFragment = false
    quotesFragment = false
    isTight = false
    encoding = options.openStep.encoding.textEncoding
  }

  init(
    fragmentIn layout: TextLayout, options: PlistWriteOptions, hasTypedValues: Bool, isQuoted: Bool,
    isTight: Bool = false
  ) {
    output = TextOutput(isCompact: false, layout: layout, capacity: 256)
    realStyle = options.realStyle
    self.hasTypedValues = hasTypedValues
    converts = options.unrepresentable == .convert
    isStringsTable = false
    isFragment = true
    quotesFragment = isQuoted
    self.isTight = isTight
    encoding = .utf8
  }

  init(copying other: borrowing OpenStepFormatter) {
    output = TextOutput(copying: other.output)
    realStyle = other.realStyle
    hasTypedValues = other.hasTypedValues
    converts = other.converts
    isStringsTable = other.isStringsTable
    isFragment = other.isFragment
    quotesFragment = other.quotesFragment
    isTight = other.isTight
    encoding = other.encoding
  }

  @inline(__always)
  func checkRoom(for byteCount: Int) throws(PlistWriteFailure) { try output.buffer.checkRoom(for: byteCount) }

  func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
    try output.buffer.withSpan(body)
  }

  var isAtBeginning: Bool { false }

  mutating func removeBytes() { output.buffer.removeAll() }
  mutating func finish() { output.buffer.append(0x0A) }

  mutating func takeData() -> Data {
    finish()
    if encoding == .utf8 { return output.buffer.takeData() }
    var encoded = encodedBytes(hasMark: true)
    return encoded.takeData()
  }

  /// The number of indentation levels to leave out: one in a `.strings` table, which has no outermost braces.
  private var outdent: Int { isStringsTable ? 1 : 0 }

  mutating func beginDictionary() throws(PlistWriteFailure) {
    try beginValue(isDictionary: true)
    if !isStringsTable || !output.open.isEmpty { output.buffer.append(0x7B) }
    output.begin(isDictionary: true)
  }

  mutating func endDictionary() {
    let container = output.end()
    if isStringsTable, output.open.isEmpty { return }
    if container.count > 0 { output.beginLine(outdent: outdent) }
    output.buffer.append(0x7D)
    endValue()
  }

  mutating func beginArray() throws(PlistWriteFailure) {
    try beginValue()
    output.buffer.append(0x28)
    output.begin(isDictionary: false)
  }

  mutating func endArray() {
    if output.end().count > 0 {
      output.append(",", compact: "")
      output.beginLine(outdent: outdent)
    }
    output.buffer.append(0x29)
    endValue()
  }

  mutating func key(utf8 key: RawSpan) {
    let isInTable = isStringsTable && output.open.count == 1
    if output.countNext() > 0 || !isInTable && !isTight { output.beginLine(outdent: outdent) }
    append(key, isQuoted: isInTable)
    output.append(" = ", compact: "=")
  }

  mutating func string(utf8 string: RawSpan) throws(PlistWriteFailure) {
    try beginValue()
    append(string)
    endValue()
  }

  static var acceptsNull: Bool { false }

  mutating func scalar(_ scalar: PlistScalar) throws(PlistWriteFailure) {
    switch scalar {
    case .integer(let integer):
      try append("<*I", or: .integerInOpenStep, isWord: !integer.isNegative) { $0.append(integer) }
    case .real(let real), .double(let real):
      let style = realStyle
      try append("<*R", or: .realInOpenStep, isWord: false) { $0.buffer.append(real: real, style: style) }
    case .float(let real): try self.scalar(.real(Double(real)))
    case .boolean(let boolean):
      let text: StaticString = hasTypedValues ? (boolean ? "Y" : "N") : (boolean ? "YES" : "NO")
      try append("<*B", or: .booleanInOpenStep, isWord: true) { $0.buffer.append(text) }
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      guard let fields = GregorianDate(secondsSinceReference: seconds, clamps: converts) else { throw .date }
      var text = fields.description
      text.removeLast()
      let line = text.replacing("T", with: " ") + " +0000"
      try append("<*D", or: .dateInOpenStep, isWord: false) { $0.buffer.append(utf8: line) }
    case .uid(let uid):
      guard converts else { throw .uidInOpenStep }
      try beginDictionary()
      try key("CF$UID")
      try self.scalar(.integer(PropertyListInteger(UInt64(uid.value))))
      endDictionary()
    case .null: throw .nullInOpenStep
    }
  }

  mutating func data(_ data: Data) throws(PlistWriteFailure) {
    try beginValue()
    output.buffer.append(0x3C)
    let bytes = data.bytes
    for offset in 0..<bytes.byteCount {
      if offset > 0, offset % 4 == 0 { output.append(" ", compact: "") }
      output.buffer.append(Self.digits.byte(at: Int(bytes.byte(at: offset) >> 4)))
      output.buffer.append(Self.digits.byte(at: Int(bytes.byte(at: offset) & 15)))
    }
    output.buffer.append(0x3E)
    endValue()
  }

  private static let digits: StaticString = "0123456789abcdef"
}

extension OpenStepFormatter {
  /// Writes the separator before an array element; in a dictionary, the key's method writes it.
  private mutating func beginValue(isDictionary: Bool = false) throws(PlistWriteFailure) {
    guard let container = output.open.last else {
      if isStringsTable, !isDictionary { throw .stringsTable }
      return
    }
    if container.isDictionary { return }
    let isFirst = output.countNext() == 0
    if !isFirst { output.buffer.append(0x2C) }
    if !isFirst || !isTight { output.beginLine(outdent: outdent) }
  }

  private mutating func endValue() {
    if output.open.last?.isDictionary == true { output.buffer.append(0x3B) }
  }

  /// Writes a number, Boolean or date, which only GNUstep's format has.
  ///
  /// In plain OpenStep text, the value becomes a string if `converts` is true; otherwise it is an error.
  private mutating func append(
    _ type: StaticString, or failure: PlistWriteFailure, isWord: Bool, content: (inout TextOutput) -> Void
  ) throws(PlistWriteFailure) {
    guard hasTypedValues || converts else { throw failure }
    try beginValue()
    let isQuoted = !hasTypedValues && (!isWord || output.open.isEmpty && !isFragment)
    if hasTypedValues { output.buffer.append(type) }
    if isQuoted { output.buffer.append(0x22) }
    content(&output)
    if isQuoted { output.buffer.append(0x22) }
    if hasTypedValues { output.buffer.append(0x3E) }
    endValue()
  }

  private mutating func append(_ text: RawSpan) {
    // A lone string without quotation marks could be mistaken for another format. By convention, the strings in a
    // `.strings` table have quotation marks too.
    let isRoot = output.open.isEmpty && (!isFragment || quotesFragment)
    append(text, isQuoted: isRoot || isStringsTable && output.open.count == 1)
  }

  mutating func append(fragmentKey key: String) { key.withByteSpan { append($0, isQuoted: quotesFragment) } }

  private mutating func append(_ text: RawSpan, isQuoted: Bool) {
    if !isQuoted, Self.isWord(text) {
      output.buffer.append(text)
    } else {
      output.append(quoted: text, escape: Self.append(escaping:to:))
    }
  }

  /// Whether all readers of OpenStep text accept `text` without quotation marks.
  static func isWord(_ text: RawSpan) -> Bool {
    guard text.byteCount > 0 else { return false }
    for offset in 0..<text.byteCount {
      switch text.byte(at: offset) {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x2E: break
      // Two slashes begin a comment.
      case 0x2F: if offset > 0, text.byte(at: offset - 1) == 0x2F { return false }
      // Xcode reserves words with three underscores in a row.
      case 0x5F:
        if offset > 1, text.byte(at: offset - 1) == 0x5F, text.byte(at: offset - 2) == 0x5F { return false }
      default: return false
      }
    }
    return true
  }

  private static func append(escaping byte: UInt8, to buffer: inout ByteBuffer) {
    switch byte {
    case 0x22: buffer.append("\\\"")
    case 0x5C: buffer.append("\\\\")
    case 0x07: buffer.append("\\a")
    case 0x08: buffer.append("\\b")
    case 0x09: buffer.append("\\t")
    case 0x0A: buffer.append("\\n")
    case 0x0B: buffer.append("\\v")
    case 0x0C: buffer.append("\\f")
    case 0x0D: buffer.append("\\r")
    default:
      buffer.append("\\U00")
      buffer.append(digits.byte(at: Int(byte >> 4)))
      buffer.append(digits.byte(at: Int(byte & 15)))
    }
  }
}
