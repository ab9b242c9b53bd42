/// Formats the values of a property list as text into a buffer, and takes their order for granted.
protocol PlistFormatter: PropertyListVisitor where Failure == PlistWriteFailure {
  /// The bytes that have been written and not been taken.
  var buffer: ByteBuffer { get }

  /// Whether the last bytes may yet be written otherwise, so that they must not be taken.
  var isAtBeginning: Bool { get }

  /// Makes sure that nobody shares the buffer; before any value after a copy of the formatter may have been made.
  mutating func own()

  /// Forgets the bytes so far, which have been taken; not when ``isAtBeginning``.
  mutating func removeBytes()

  /// Completes the document.
  mutating func finish()
}

/// How the lines of text begin.
struct TextLayout {
  /// What ends a line and begins the next, at depth 0; only space, or nothing, where all is on one line.
  var lineBreak: [UInt8] = [0x0A]
  /// What a level of depth adds to that.
  var indent: [UInt8]

  static let none = TextLayout(lineBreak: [], indent: [])
}

/// What the formatters of OpenStep and JSON text have in common: a buffer, and lines that are indented.
struct TextOutput {
  /// The bytes that have been written and not been taken.
  var buffer: ByteBuffer
  private let isCompact: Bool
  private let layout: TextLayout
  /// The containers that are open, the outermost first.
  private(set) var open: [Container] = []

  struct Container {
    let isDictionary: Bool
    /// How many elements or pairs have begun.
    var count = 0
  }

  init(isCompact: Bool, layout: TextLayout, capacity: Int = 4096) {
    buffer = ByteBuffer(capacity: capacity)
    self.isCompact = isCompact
    self.layout = layout
  }

  /// Begins a line at the current depth, less `outdent`; nothing where the layout is compact.
  mutating func beginLine(outdent: Int = 0) {
    if isCompact { return }
    buffer.append(layout.lineBreak)
    for _ in 0..<max(0, open.count - outdent) { buffer.append(layout.indent) }
  }

  /// Appends one of two texts, the second where the layout is compact.
  mutating func append(_ readable: StaticString, compact: StaticString) {
    buffer.append(isCompact ? compact : readable)
  }

  mutating func begin(isDictionary: Bool) { open.append(Container(isDictionary: isDictionary)) }

  mutating func end() -> Container { open.removeLast() }

  /// Counts an element or pair that begins; returns how many were before it.
  mutating func countNext() -> Int {
    guard let last = open.indices.last else { return 0 }
    open[last].count += 1
    return open[last].count - 1
  }

  /// Appends `text` between quotation marks; `escape` appends what stands for a `"`, a backslash or a control
  /// character.
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
