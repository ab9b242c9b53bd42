#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A visitor that appends values to a buffer as text; it does not check the order of the calls.
///
/// Formatters are not copyable, so that the buffer has a single owner: checking for other owners took 4 % of the time
/// to encode a model as XML.
protocol PlistFormatter: ~Copyable, PropertyListVisitor where Failure == PlistWriteFailure {
  /// Calls `body` with the buffer, which contains UTF-8.
  func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value
}

extension ByteBuffer {
  /// Throws if there is no memory for text or data of `byteCount` bytes, each of which can become six bytes when
  /// written.
  @inline(__always)
  func checkRoom(for byteCount: Int) throws(PlistWriteFailure) {
    let (size, overflow) = byteCount.multipliedReportingOverflow(by: 6)
    if overflow || !hasRoom(for: size) { throw .memory }
  }
}

extension PlistFormatter where Self: ~Copyable {
  var count: Int { withBytes { $0.byteCount } }
}

/// A formatter for a whole document.
protocol DocumentFormatter: ~Copyable, PlistFormatter {
  init(options: PlistWriteOptions, format: PlistFormat)

  /// Whether a later call can still change the last bytes in the buffer.
  var isAtBeginning: Bool { get }

  /// The encoding of the document; the buffer is always UTF-8.
  var encoding: TextEncoding { get }

  /// Empties the buffer; must not be called while ``isAtBeginning`` is true.
  mutating func removeBytes()

  mutating func finish()

  mutating func takeData() -> Data

  init(copying other: borrowing Self)
}

extension DocumentFormatter where Self: ~Copyable {
  var encoding: TextEncoding { .utf8 }

  /// Returns the length of the buffer in the document's encoding, including a byte order mark if `hasMark` is true.
  func encodedCount(hasMark: Bool) -> Int {
    if encoding == .utf8 { return count }
    let mark = hasMark ? encoding.unitWidth : 0
    return mark + withBytes { encoding.encodedLength(ofUTF8: $0, in: 0..<$0.byteCount) }
  }

  /// Returns the buffer in the document's encoding, with a byte order mark if `hasMark` is true.
  func encodedBytes(hasMark: Bool) -> ByteBuffer {
    var encoded = ByteBuffer(capacity: 2 * count + 2)
    if hasMark { "\u{FEFF}".withByteSpan { encoded.append(utf8: $0, in: encoding) } }
    withBytes { encoded.append(utf8: $0, in: encoding) }
    return encoded
  }
}

struct TextLayout {
  /// What separates two lines: a line break or, for output on a single line, a space or nothing.
  var lineBreak: [UInt8] = [0x0A]
  /// The indentation for each level.
  var indent: [UInt8]

  static let none = TextLayout(lineBreak: [], indent: [])
}

/// A buffer that indents its lines, for OpenStep text and JSON.
struct TextOutput: ~Copyable {
  var buffer: ByteBuffer
  private let isCompact: Bool
  private let layout: TextLayout
  private(set) var open: [Container] = []

  struct Container {
    let isDictionary: Bool
    /// The number of elements or pairs begun so far.
    var count = 0
  }

  init(isCompact: Bool, layout: TextLayout, capacity: Int = 4096) {
    buffer = ByteBuffer(capacity: capacity)
    self.isCompact = isCompact
    self.layout = layout
  }

  init(copying other: borrowing TextOutput) {
    buffer = other.buffer.copy()
    isCompact = other.isCompact
    layout = other.layout
    open = other.open
  }

  /// Begins a line that is indented by the depth minus `outdent`, unless the layout is compact.
  mutating func beginLine(outdent: Int = 0) {
    if isCompact { return }
    buffer.append(layout.lineBreak)
    for _ in 0..<max(0, open.count - outdent) { buffer.append(layout.indent) }
  }

  mutating func append(_ readable: StaticString, compact: StaticString) {
    buffer.append(isCompact ? compact : readable)
  }

  mutating func begin(isDictionary: Bool) { open.append(Container(isDictionary: isDictionary)) }

  mutating func end() -> Container { open.removeLast() }

  /// Counts another element or pair in the innermost container, and returns the previous count.
  mutating func countNext() -> Int {
    guard let last = open.indices.last else { return 0 }
    open[last].count += 1
    return open[last].count - 1
  }

  /// Appends `text` in quotation marks; `escape` appends the replacement for a `"`, a backslash or a control character.
  mutating func append(quoted text: RawSpan, escape: (UInt8, inout ByteBuffer) -> Void) {
    buffer.append(0x22)
    var start = 0
    for offset in 0..<text.byteCount {
      let byte = text.byte(at: offset)
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F else { continue }
      buffer.append(text.extracting(start..<offset))
      escape(byte, &buffer)
      start = offset + 1
    }
    buffer.append(text.extracting(start..<text.byteCount))
    buffer.append(0x22)
  }

  mutating func append(_ integer: PropertyListInteger) {
    if integer.isNegative { buffer.append(0x2D) }
    buffer.append(decimal: integer.magnitude)
  }
}
