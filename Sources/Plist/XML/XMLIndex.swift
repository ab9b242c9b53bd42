#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One value or key of an indexed XML document, in sixteen bytes.
struct XMLIndexEntry {
  // From the top: eight bits of kind, eight of form, and the offset of the element's `<`.
  private var head: UInt64
  // Of text: how far behind its `<` it begins, in the top sixteen bits, and its length in bytes. Of containers: how many
  // entries are below it, in the upper half, and how many values are in it.
  private var tail: UInt64

  private static let offsetBits: UInt64 = 48
  private static let offsetMask: UInt64 = 1 << 48 - 1

  @inline(__always)
  init(_ token: PlistToken, at start: Int) {
    head =
      UInt64(token.kind.rawValue) << 56 | UInt64(token.form.rawValue) << Self.offsetBits
      | UInt64(truncatingIfNeeded: start) & Self.offsetMask
    let distance = token.first &- UInt64(truncatingIfNeeded: start)
    // Attributes may push text further away; then it is found by reading the element again.
    tail = distance <= 0xFFFF ? distance << Self.offsetBits | UInt64(truncatingIfNeeded: token.count) : 0
  }

  /// What kind of token the entry was made of.
  @inline(__always)
  var kind: PlistToken.Kind { PlistToken.Kind(rawValue: UInt8(truncatingIfNeeded: head >> 56)) ?? .null }

  /// The offset of the element's `<`.
  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: head & Self.offsetMask) }

  /// The token of text or data, or nil where it must be read again.
  @inline(__always)
  var text: PlistToken? {
    guard tail >> Self.offsetBits != 0 else { return nil }
    let start = offset + Int(truncatingIfNeeded: tail >> Self.offsetBits)
    let form = PlistToken.Form(rawValue: UInt8(truncatingIfNeeded: head >> Self.offsetBits)) ?? .bytes
    return PlistToken(kind, form, start..<start + Int(truncatingIfNeeded: tail & Self.offsetMask))
  }

  /// How many values a container holds; pairs for a dictionary.
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: tail & 0xFFFF_FFFF) }

  /// How many entries are below a container, those of its containers included.
  @inline(__always)
  var descendants: Int { Int(truncatingIfNeeded: tail >> 32) }

  /// Whether the entry is one of a container.
  @inline(__always)
  var isContainer: Bool {
    head >> 56 == UInt64(PlistToken.Kind.beginArray.rawValue)
      || head >> 56 == UInt64(PlistToken.Kind.beginDictionary.rawValue)
  }

  /// What the entries of all keys behind a plain tag have in common that are spelled in one form with so many bytes.
  struct PlainKey {
    fileprivate let head: UInt64
    fileprivate let tail: UInt64

    /// The length of `<key>`.
    fileprivate static var distance: Int { 5 }

    init(_ form: PlistToken.Form, count: Int) {
      head = UInt64(PlistToken.Kind.key.rawValue) << 8 | UInt64(form.rawValue)
      tail = UInt64(Self.distance) << XMLIndexEntry.offsetBits | UInt64(truncatingIfNeeded: count)
    }
  }

  /// Where the entry's text begins if it is such a key; else nil, and the entry must be looked at closer.
  @inline(__always)
  func start(of key: PlainKey) -> Int? {
    head >> Self.offsetBits == key.head && tail == key.tail ? offset &+ PlainKey.distance : nil
  }

  /// The offset of an integer's element, whatever its sign; nil for anything else.
  @inline(__always)
  var integerOffset: Int? {
    let kind = head >> 56
    let isInteger =
      kind == UInt64(PlistToken.Kind.integer.rawValue) || kind == UInt64(PlistToken.Kind.negativeInteger.rawValue)
    return isInteger ? offset : nil
  }

  /// The offset of a real's element; nil for anything else.
  @inline(__always)
  var realOffset: Int? { head >> 56 == UInt64(PlistToken.Kind.real.rawValue) ? offset : nil }

  /// Where the text is of a string that is spelled as the bytes it consists of; nil for anything else.
  @inline(__always)
  var plainString: PlainText? {
    let form = head >> Self.offsetBits & 0xFF
    guard head >> 56 == UInt64(PlistToken.Kind.string.rawValue), tail >> Self.offsetBits != 0,
      form <= UInt64(PlistToken.Form.utf8.rawValue)
    else { return nil }
    return PlainText(
      start: offset + Int(truncatingIfNeeded: tail >> Self.offsetBits),
      count: Int(truncatingIfNeeded: tail & Self.offsetMask), isASCII: form == UInt64(PlistToken.Form.ascii.rawValue))
  }

  /// The entry of a container that is open, of which the container around it is the entry at `parent`, or −1.
  @inline(__always)
  init(opening kind: PlistToken.Kind, at start: Int, in parent: Int) {
    head = UInt64(kind.rawValue) << 56 | UInt64(truncatingIfNeeded: start) & Self.offsetMask
    tail = UInt64(truncatingIfNeeded: parent)
  }

  /// The entry of the container around one that is open.
  @inline(__always)
  var parent: Int { Int(truncatingIfNeeded: tail) }

  /// Notes what a container holds, once that is known.
  @inline(__always)
  mutating func close(count: Int, descendants: Int) {
    tail = UInt64(truncatingIfNeeded: descendants) << 32 | UInt64(truncatingIfNeeded: count)
  }
}

/// The index of a text document: an entry for each value and key, in the order of the document.
///
/// The entry of a container is followed by those of what it holds, keys and values in turn in a dictionary. It is made
/// for XML; OpenStep and JSON share it.
struct XMLIndex {
  let entries: FrozenRoom<XMLIndexEntry>
  private let format: PlistFormat

  /// Reads the whole document, checking all of it.
  ///
  init(_ source: PlistSource, format: PlistFormat, limits: PlistLimits) throws(PlistError) {
    var memory = XMLIndexMemory()
    switch format {
    case .xml, .binary: entries = try Self.entries(source, &memory) { XMLReader(limits: limits) }
    case .openStep, .gnuStep: entries = try Self.entries(source, &memory) { OpenStepReader(limits: limits) }
    case .json: entries = try Self.entries(source, &memory) { JSONReader(limits: limits) }
    }
    self.format = format
  }

  /// The same of a document in XML, in memory that another one may have used.
  init(_ source: PlistSource, limits: PlistLimits, reusing memory: inout XMLIndexMemory) throws(PlistError) {
    entries = try Self.entries(source, &memory) { XMLReader(limits: limits) }
    format = .xml
  }

  /// The index of a document in XML that has been read before.
  init(_ entries: FrozenRoom<XMLIndexEntry>) {
    self.entries = entries
    format = .xml
  }

  @inline(__always)
  private static func entries<Reader: IndexableReader>(
    _ source: PlistSource, _ memory: inout XMLIndexMemory, _ reader: () -> Reader
  ) throws(PlistError) -> FrozenRoom<XMLIndexEntry> {
    try source.withBytes { (bytes) throws(PlistError) in try entries(bytes, reader(), of: source, &memory) }
  }

  // Not within the closure, where what is read would not be in registers.
  @inline(never)
  private static func entries<Reader: IndexableReader>(
    _ bytes: RawSpan, _ reader: consuming Reader, of source: PlistSource, _ memory: inout XMLIndexMemory
  ) throws(PlistError) -> FrozenRoom<XMLIndexEntry> {
    var builder = XMLIndexBuilder(capacity: bytes.byteCount / Reader.leastBytes + 2, reusing: memory.takeBlock())
    reader.exchangeMemory(with: &memory)
    reader.begin(in: bytes, into: &builder)
    while true {
      reader.run(in: bytes, into: &builder)
      if reader.end(in: bytes, into: &builder) { break }
      let token: PlistToken
      do { token = try reader.next(in: bytes) } catch { throw reader.error(for: error, in: source) }
      if token.kind == .end { break }
      guard builder.hasRoom else {
        throw reader.error(.expandedObjectsLimit, "the document has more than 2^32 values and keys", in: source)
      }
      builder.take(token, at: reader.tokenStart, in: bytes)
    }
    reader.exchangeMemory(with: &memory)
    return builder.finish()
  }

  /// The token of the value or key at `entry`.
  func token(at entry: Int, in bytes: RawSpan) -> PlistToken {
    let entry = entries[entry]
    if entry.isContainer { return PlistToken(entry.kind) }
    if let text = entry.text, text.kind == .key || text.kind == .string || text.kind == .data { return text }
    // The element has been read before, so it can be read again.
    let token = scalar(at: entry.offset, in: bytes) ?? PlistToken(.null)
    return token.kind == .string && entry.kind == .key ? PlistToken(.key, token.form, token.range) : token
  }

  /// Reads the value at `offset`, which is no container, or the string that a key is.
  private func scalar(at offset: Int, in bytes: RawSpan) -> PlistToken? {
    switch format {
    case .xml, .binary:
      var reader = XMLReader(limits: PlistLimits(), from: offset)
      return try? reader.next(in: bytes)
    case .openStep, .gnuStep:
      var reader = OpenStepReader(limits: PlistLimits(), from: offset, isRoot: false)
      return try? reader.next(in: bytes)
    case .json:
      var reader = JSONReader(limits: PlistLimits(), from: offset)
      return try? reader.next(in: bytes)
    }
  }

  /// The entry behind the value at `entry`.
  @inline(__always)
  func next(after entry: Int) -> Int { entries.next(after: entry) }
}

extension FrozenRoom<XMLIndexEntry> {
  /// The entry behind the value at `entry`.
  @inline(__always)
  func next(after entry: Int) -> Int {
    let value = self[entry]
    return value.isContainer ? entry + 1 + value.descendants : entry + 1
  }
}

/// A reader that says where each token began, so that it can be read again from there.
protocol IndexableReader: PlistTokenReader {
  /// The offset at which the last token began.
  var tokenStart: Int { get }
  /// How many bytes a value or key takes at least, but for two in the document.
  static var leastBytes: Int { get }
  /// Reads what is at the beginning, as far as it is as in most documents.
  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer)
  /// Reads all that is left if that is what most documents end with, and says whether it was.
  func end<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) -> Bool
  /// Takes memory that another reader has left, or leaves it: called before and after all that is read.
  mutating func exchangeMemory(with memory: inout XMLIndexMemory)
}

extension IndexableReader {
  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {}
  func end<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) -> Bool { false }
  mutating func exchangeMemory(with memory: inout XMLIndexMemory) {}
}

/// Memory that was taken for one document, kept to be used for the next.
struct XMLIndexMemory {
  /// What the entries were in.
  private var block: MemoryBlock?
  /// What the reader kept containers in; empty.
  private var parents: [XMLContainer] = []

  /// More bytes than this are not kept.
  private static var mostKept: Int { 1 << 16 }
  private static var mostParentsKept: Int { 64 }

  mutating func takeBlock() -> MemoryBlock? { block.take() }

  mutating func keep(_ block: consuming MemoryBlock?) {
    if let block = consume block, block.size <= Self.mostKept { self.block = block }
  }

  /// Swaps the array for the one that is kept, both empty afterwards.
  mutating func exchange(_ parents: inout [XMLContainer]) {
    while parents.popLast() != nil {}
    if parents.capacity <= Self.mostParentsKept { swap(&parents, &self.parents) }
  }
}

extension XMLReader: IndexableReader {
  /// The shortest element is `<key/>`.
  static var leastBytes: Int { 6 }

  mutating func begin<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {
    beginPlainly(in: bytes, into: &consumer)
  }

  func end<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) -> Bool {
    endPlainly(in: bytes, into: &consumer)
  }

  mutating func exchangeMemory(with memory: inout XMLIndexMemory) { memory.exchange(&parents) }
}

extension OpenStepReader: IndexableReader {
  /// A bracket, or half of `a;`.
  static var leastBytes: Int { 1 }
}

extension JSONReader: IndexableReader {
  static var leastBytes: Int { 1 }
}

/// Makes the entries of a document's tokens.
private struct XMLIndexBuilder: PlistTokenConsumer, ~Copyable {
  private var entries: GrowingRoom<XMLIndexEntry>
  /// The entry of the innermost open container, which knows the one around it; −1 outside of all.
  private var open = -1

  /// Makes room for the most entries that a document can have.
  init(capacity: Int, reusing memory: MemoryBlock?) {
    entries = GrowingRoom(capacity: min(capacity, Int(UInt32.max)), reusing: memory)
  }

  static var readsScalars: Bool { false }

  /// Half a word holds the number of entries below a container.
  var hasRoom: Bool { entries.count < Int(UInt32.max) - 2 }

  @inline(__always)
  mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan) {
    switch token.kind {
    case .endArray, .endDictionary:
      let entry = open
      open = entries[entry].parent
      entries[entry].close(count: Int(truncatingIfNeeded: token.first), descendants: entries.count - entry - 1)
    case .beginArray, .beginDictionary:
      let entry = entries.count
      entries.append(XMLIndexEntry(opening: token.kind, at: start, in: open))
      open = entry
    default: entries.append(XMLIndexEntry(token, at: start))
    }
  }

  consuming func finish() -> FrozenRoom<XMLIndexEntry> { entries.frozen() }
}
