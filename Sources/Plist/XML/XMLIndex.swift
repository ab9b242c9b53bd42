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
  var isContainer: Bool { kind == .beginArray || kind == .beginDictionary }

  /// Notes what a container holds, once that is known.
  @inline(__always)
  mutating func close(count: Int, descendants: Int) {
    tail = UInt64(truncatingIfNeeded: descendants) << 32 | UInt64(truncatingIfNeeded: count)
  }
}

/// A reader that says where each token began, so that it can be read again from there.
protocol IndexableReader: PlistTokenReader {
  /// The offset at which the last token began.
  var tokenStart: Int { get }
}

extension XMLReader: IndexableReader {}
extension OpenStepReader: IndexableReader {}
extension JSONReader: IndexableReader {}

/// The index of a text document: an entry for each value and key, in the order of the document.
///
/// It is made for XML, and OpenStep and JSON share it. The entry of a container is followed by those of what it holds, keys and values in turn in a dictionary.
struct XMLIndex {
  private(set) var entries: [XMLIndexEntry] = []
  private let format: PlistFormat

  /// Reads the whole document, checking all of it.
  init(_ source: PlistSource, format: PlistFormat, limits: PlistLimits) throws(PlistError) {
    switch format {
    case .xml, .binary: try self.init(source, reader: XMLReader(limits: limits), format)
    case .openStep, .gnuStep: try self.init(source, reader: OpenStepReader(limits: limits), format)
    case .json: try self.init(source, reader: JSONReader(limits: limits), format)
    }
  }

  @inline(__always)
  private init(
    _ source: PlistSource, reader: consuming some IndexableReader, _ format: PlistFormat
  ) throws(PlistError) {
    self.format = format
    let bytes = source.data.bytes
    // Elements take some thirty bytes on the average; where they take less than this, the array grows.
    entries.reserveCapacity(bytes.byteCount / 24 + 16)
    var open: [(entry: Int, count: Int)] = []
    var current = (entry: -1, count: 0)
    while true {
      let token: PlistToken
      do { token = try reader.next(in: bytes) } catch { throw reader.error(for: error, in: source) }
      switch token.kind {
      case .key: entries.append(XMLIndexEntry(token, at: reader.tokenStart))
      case .beginArray, .beginDictionary:
        // Half a word holds the number of entries below a container.
        guard entries.count < Int(UInt32.max) else {
          throw reader.error(.expandedObjectsLimit, "the document has more than 2^32 values and keys", in: source)
        }
        current.count += 1
        open.append(current)
        current = (entries.count, 0)
        entries.append(XMLIndexEntry(token, at: reader.tokenStart))
      case .endArray, .endDictionary:
        entries[current.entry].close(count: current.count, descendants: entries.count - current.entry - 1)
        current = open.removeLast()
      case .end: return
      default:
        current.count += 1
        entries.append(XMLIndexEntry(token, at: reader.tokenStart))
      }
    }
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
  func next(after entry: Int) -> Int {
    entries[entry].isContainer ? entry + 1 + entries[entry].descendants : entry + 1
  }
}
