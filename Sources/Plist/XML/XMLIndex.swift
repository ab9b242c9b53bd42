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

  /// Where the entry's text begins if it is a key behind a plain tag, spelled in that form with so many bytes; else nil,
  /// and the entry must be looked at closer.
  @inline(__always)
  func plainKeyStart(_ form: PlistToken.Form, count: Int) -> Int? {
    // The length of `<key>`.
    let distance: UInt64 = 5
    guard head >> Self.offsetBits == UInt64(PlistToken.Kind.key.rawValue) << 8 | UInt64(form.rawValue),
      tail == distance << Self.offsetBits | UInt64(truncatingIfNeeded: count)
    else { return nil }
    return offset &+ Int(truncatingIfNeeded: distance)
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
  init(_ source: PlistSource, format: PlistFormat, limits: PlistLimits) throws(PlistError) {
    switch format {
    case .xml, .binary: entries = try Self.entries(source, XMLReader(limits: limits))
    case .openStep, .gnuStep: entries = try Self.entries(source, OpenStepReader(limits: limits))
    case .json: entries = try Self.entries(source, JSONReader(limits: limits))
    }
    self.format = format
  }

  @inline(__always)
  private static func entries<Reader: IndexableReader>(
    _ source: PlistSource, _ reader: consuming Reader
  ) throws(PlistError) -> FrozenRoom<XMLIndexEntry> {
    let bytes = source.data.bytes
    var builder = XMLIndexBuilder(capacity: bytes.byteCount / Reader.leastBytes + 2)
    while true {
      reader.run(in: bytes, into: &builder)
      let token: PlistToken
      do { token = try reader.next(in: bytes) } catch { throw reader.error(for: error, in: source) }
      if token.kind == .end { break }
      guard builder.hasRoom else {
        throw reader.error(.expandedObjectsLimit, "the document has more than 2^32 values and keys", in: source)
      }
      builder.take(token, at: reader.tokenStart, in: bytes)
    }
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
}

extension XMLReader: IndexableReader {
  /// The shortest element is `<key/>`.
  static var leastBytes: Int { 6 }
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
  /// The entries of the containers that are open.
  private var open = ValueStack<Int>()

  /// Makes room for the most entries that a document can have.
  init(capacity: Int) { entries = GrowingRoom(capacity: min(capacity, Int(UInt32.max))) }

  static var readsScalars: Bool { false }

  /// Half a word holds the number of entries below a container.
  var hasRoom: Bool { entries.count < Int(UInt32.max) - 2 }

  @inline(__always)
  mutating func take(_ token: PlistToken, at start: Int, in bytes: RawSpan) {
    switch token.kind {
    case .endArray, .endDictionary:
      let entry = open.pop()
      entries[entry].close(count: Int(truncatingIfNeeded: token.first), descendants: entries.count - entry - 1)
    case .beginArray, .beginDictionary:
      open.push(entries.count)
      fallthrough
    default: entries.append(XMLIndexEntry(token, at: start))
    }
  }

  consuming func finish() -> FrozenRoom<XMLIndexEntry> { entries.frozen() }
}
