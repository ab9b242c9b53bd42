#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct JSONFormatter: ~Copyable, DocumentFormatter {
  private var output: TextOutput
  private let realStyle: PlistWriteOptions.RealStyle
  private let converts: Bool
  /// The colon after a key, with the white space around it.
  private let colon: [UInt8]
  /// Whether to lay out files as Xcode does, with an empty line in an empty container and no line break at the end.
  private var isXcode = false

  init(options: PlistWriteOptions, format: PlistFormat) {
    let isCompact = options.layout == .compact
    let isXcode = options.layout == .xcode
    self.init(
      TextOutput(isCompact: isCompact, layout: TextLayout(indent: options.layout.indent ?? [0x20, 0x20])),
      colon: isCompact ? [0x3A] : isXcode ? [0x20, 0x3A, 0x20] : [0x3A, 0x20], options: options)
    self.isXcode = isXcode
  }

  /// Creates a formatter for a value in an existing document.
  init(fragmentIn layout: TextLayout, colon: [UInt8], options: PlistWriteOptions) {
    self.init(TextOutput(isCompact: false, layout: layout, capacity: 256), colon: colon, options: options)
  }

  private init(_ output: consuming TextOutput, colon: [UInt8], options: PlistWriteOptions) {
    self.output = output
    self.colon = colon
    realStyle = options.realStyle
    converts = options.unrepresentable == .convert
  }

  init(copying other: borrowing JSONFormatter) {
    output = TextOutput(copying: other.output)
    realStyle = other.realStyle
    converts = other.converts
    colon = other.colon
    isXcode = other.isXcode
  }

  @inline(__always)
  func checkRoom(for byteCount: Int) throws(PlistWriteFailure) { try output.buffer.checkRoom(for: byteCount) }

  func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
    try output.buffer.withSpan(body)
  }

  var isAtBeginning: Bool { false }

  mutating func removeBytes() { output.buffer.removeAll() }
  mutating func finish() { if !isXcode { output.append("\n", compact: "") } }

  /// Begins the line for the bracket that closes a container of `count` values.
  private mutating func beginLastLine(_ count: Int) {
    if isXcode, count == 0 { output.buffer.append(0x0A) }
    if isXcode || count > 0 { output.beginLine() }
  }

  mutating func takeData() -> Data {
    finish()
    return output.buffer.takeData()
  }

  mutating func beginDictionary() {
    beginValue()
    output.buffer.append(0x7B)
    output.begin(isDictionary: true)
  }

  mutating func endDictionary() {
    beginLastLine(output.end().count)
    output.buffer.append(0x7D)
  }

  mutating func beginArray() {
    beginValue()
    output.buffer.append(0x5B)
    output.begin(isDictionary: false)
  }

  mutating func endArray() {
    beginLastLine(output.end().count)
    output.buffer.append(0x5D)
  }

  mutating func key(utf8 key: RawSpan) {
    if output.countNext() > 0 { output.buffer.append(0x2C) }
    output.beginLine()
    append(key)
    output.buffer.append(colon)
  }

  mutating func string(utf8 string: RawSpan) {
    beginValue()
    append(string)
  }

  mutating func scalar(_ scalar: PlistScalar) throws(PlistWriteFailure) {
    switch scalar {
    case .integer(let integer):
      beginValue()
      output.append(integer)
    case .real(let real), .double(let real): try append(real)
    // A `Float` takes fewer digits than the same value as a `Double`.
    case .float(let real): try append(Double("\(real)") ?? Double(real))
    case .boolean(let boolean):
      beginValue()
      output.buffer.append(boolean ? "true" : "false")
    case .date(let date):
      guard converts else { throw .dateInJSON }
      let seconds = date.timeIntervalSinceReferenceDate
      guard let fields = GregorianDate(secondsSinceReference: seconds, clamps: true) else { throw .date }
      let text = date.propertyListDescription
      // If ISO 8601 cannot express the exact date, leave out the fraction of a second.
      try string(text.hasPrefix("date(") ? fields.description : text)
    case .uid(let uid):
      guard converts else { throw .uidInJSON }
      beginDictionary()
      try key("CF$UID")
      output.append(PropertyListInteger(UInt64(uid.value)))
      endDictionary()
    case .null:
      beginValue()
      output.buffer.append("null")
    }
  }

  mutating func decimal(_ digits: String) {
    beginValue()
    output.buffer.append(utf8: digits)
  }

  private mutating func append(_ real: Double) throws(PlistWriteFailure) {
    guard real.isFinite || converts else { throw .numberInJSON }
    beginValue()
    guard real.isFinite else {
      output.buffer.append(0x22)
      output.buffer.append(real: real, style: realStyle)
      output.buffer.append(0x22)
      return
    }
    let start = output.buffer.count
    output.buffer.append(real: real, style: realStyle)
    let isWhole = output.buffer.withSpan { bytes in
      (start..<bytes.byteCount).allSatisfy { bytes.byte(at: $0) != 0x2E && bytes.byte(at: $0) != 0x65 }
    }
    if isWhole { output.buffer.append(".0") }
  }

  mutating func data(_ data: Data) throws(PlistWriteFailure) {
    guard converts else { throw .dataInJSON }
    beginValue()
    output.buffer.append(0x22)
    if !data.isEmpty {
      // In JSON, base64 goes on a single line, without a line break at its end.
      output.buffer.append(base64: data.bytes, tabs: 0, lineLength: (data.count + 2) / 3 * 3)
      output.buffer.truncate(to: output.buffer.count - 1)
    }
    output.buffer.append(0x22)
  }

  /// Writes the separator before an array element; in a dictionary, the key's method writes it.
  private mutating func beginValue() {
    guard let container = output.open.last, !container.isDictionary else { return }
    if output.countNext() > 0 { output.buffer.append(0x2C) }
    output.beginLine()
  }

  private mutating func append(_ text: RawSpan) {
    output.append(quoted: text) { byte, buffer in
      switch byte {
      case 0x22: buffer.append("\\\"")
      case 0x5C: buffer.append("\\\\")
      case 0x08: buffer.append("\\b")
      case 0x09: buffer.append("\\t")
      case 0x0A: buffer.append("\\n")
      case 0x0C: buffer.append("\\f")
      case 0x0D: buffer.append("\\r")
      default:
        buffer.append("\\u00")
        buffer.append(utf8: byte.hexadecimalDigits.lowercased())
      }
    }
  }
}
