#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PlistFormat {
  /// Detects the format from the first bytes of `data`, or returns nil if they don't begin a known format.
  ///
  /// After an optional byte-order mark and white space:
  /// - XML begins with `<`, in UTF-8, UTF-16 or UTF-32. Without a mark, UTF-16 is recognized by `<?` and UTF-32 by `<`.
  /// - OpenStep text begins with `{`, `(`, a quotation mark, a letter, a digit or one of `_$/:.-`, or with data such as
  ///   `<0fbd77>`. So do `.strings` files and text with GNUstep's extension, which changes only how values are written.
  ///   A document that contains only white space and comments is an empty dictionary in OpenStep text.
  /// - JSON begins with `[`, or with `{` and a key followed by a `:`, in UTF-8, UTF-16 or UTF-32. A JSON document that
  ///   is just a scalar is detected as OpenStep text, in which a number is a string; set ``PlistReadOptions/format`` to
  ///   read it as JSON.
  ///
  /// A binary property list begins with `bplist`, with nothing before it. An incomplete document is judged by the bytes
  /// that are available. A signed document has no format of its own; see ``PlistReadOptions/signedDocuments``.
  ///
  /// - Parameter data: The document, or its beginning.
  /// - Complexity: O(*n*) in the total length of white space, OpenStep data and the first key at the start.
  public init?(detecting data: Data) {
    guard !SignedMessage.begins(data.bytes), let format = PlistFormatDetection(data.bytes).format else { return nil }
    self = format
  }

  /// Whether `data` is in a version of the binary format that we can read but not write.
  package static func isReadOnly(_ data: Data) -> Bool { SequentialBinaryReader.reads(data.bytes) }

  static func isBlank(_ bytes: RawSpan) -> Bool { PlistFormatDetection(bytes).isBlank }
}

struct PlistFormatDetection {
  /// The format if no more bytes follow, or nil if it is unknown.
  private(set) var format: PlistFormat?
  /// Whether more bytes can change the format.
  private(set) var isTentative = false
  /// Whether there is only white space after an optional byte-order mark.
  private(set) var isBlank = false

  init(_ bytes: RawSpan) {
    if bytes.hasBytes("bplist", at: 0) {
      format = .binary
    } else if bytes.isPrefix(of: "bplist", from: 0) {
      // The first letters of `bplist` could start an OpenStep string, but are more often an incomplete binary document.
      (isTentative, isBlank) = (true, bytes.byteCount == 0)
    } else {
      detectText(bytes)
    }
  }

  private mutating func detectText(_ bytes: RawSpan) {
    var units = CodeUnits(bytes)
    let hasSpace = units.skipSpace(in: bytes)
    guard let first = units.next(in: bytes) else {
      (isTentative, isBlank) = (true, true)
      // White space alone is OpenStep text, but an empty document or one with just a byte-order mark has no format.
      if hasSpace { format = .openStep }
      return
    }
    switch first {
    case 0x3C: detectMarkup(&units, bytes)
    case 0x5B: format = .json
    case 0x7B: detectBrace(&units, bytes)
    case 0x28, 0x22, 0x27: format = .openStep
    case 0x2D where FileKind.isPEM(bytes): break
    case ..<0x80 where UInt8(truncatingIfNeeded: first).isWordCharacter: format = .openStep
    default: break
    }
  }

  /// Distinguishes OpenStep data, such as `<0fbd77>`, from XML after a `<`.
  private mutating func detectMarkup(_ units: inout CodeUnits, _ bytes: RawSpan) {
    var digits = 0
    format = .xml
    while true {
      guard let unit = units.next(in: bytes) else {
        isTentative = true
        return
      }
      switch unit {
      case 0x3E:
        if digits % 2 == 0 { format = .openStep }
        return
      // A digit after the first `<`, or a `*` or `[` right after it, means OpenStep text rather than XML.
      case 0x30...0x39,
        0x2A where digits == 0, 0x5B where digits == 0:
        format = .openStep
        return
      case 0x41...0x46, 0x61...0x66: digits += 1
      case 0x09...0x0D, 0x20: break
      default: return
      }
    }
  }

  /// Distinguishes a JSON object from an OpenStep dictionary after a `{`.
  private mutating func detectBrace(_ units: inout CodeUnits, _ bytes: RawSpan) {
    format = .openStep
    units.skipSpace(in: bytes)
    guard let quote = units.next(in: bytes) else {
      isTentative = true
      return
    }
    guard quote == 0x22 else {
      // An empty JSON object, because OpenStep text in this encoding would have a byte-order mark.
      if quote == 0x7D, units.isUnmarkedJSON { format = .json }
      return
    }
    while let unit = units.next(in: bytes) {
      if unit == 0x5C { _ = units.next(in: bytes) }
      if unit == 0x22 {
        units.skipSpace(in: bytes)
        if let separator = units.next(in: bytes) {
          if separator == 0x3A { format = .json }
          return
        }
        break
      }
    }
    isTentative = true
  }
}

/// The code units of a text document, in the encoding of its byte-order mark.
private struct CodeUnits {
  /// The size of a code unit in bytes.
  let width: Int
  private let isLittle: Bool
  /// Whether this is JSON without a mark, whose encoding was recognized by the zero bytes in its first characters.
  private(set) var isUnmarkedJSON = false
  private(set) var offset: Int

  init(_ bytes: RawSpan) {
    let mark = XMLEncoding.mark(of: bytes)
    self.init(mark?.0 ?? .utf8, from: mark?.markLength ?? 0)
    // Without a mark, zero bytes next to `<?` indicate UTF-16.
    if bytes.starts(with: [0, 0x3C, 0, 0x3F]) { self.init(.utf16BigEndian, from: 0) }
    if bytes.starts(with: [0x3C, 0, 0x3F, 0]) { self.init(.utf16LittleEndian, from: 0) }
    if mark == nil, let encoding = XMLEncoding.unmarkedWideXML(bytes) { self.init(encoding, from: 0) }
    guard mark == nil, let encoding = XMLEncoding.unmarkedJSON(bytes) else { return }
    var units = CodeUnits(encoding, from: 0)
    let start = units
    let hasSpace = units.skipSpace(in: bytes)
    let first = units.next(in: bytes)
    // If the document arrives in pieces, this may be only the white space at its beginning.
    if first == 0x5B || first == 0x7B || first == nil && hasSpace {
      self = start
      isUnmarkedJSON = true
    }
  }

  private init(_ encoding: TextEncoding, from offset: Int) {
    width = encoding.unitWidth
    isLittle = encoding == .utf16LittleEndian || encoding == .utf32LittleEndian
    self.offset = offset
  }

  mutating func next(in bytes: RawSpan) -> UInt32? {
    guard offset + width <= bytes.byteCount else { return nil }
    let unit = UInt32(truncatingIfNeeded: bytes.bigEndian(at: offset, width: width))
    offset += width
    return isLittle ? unit.byteSwapped >> UInt32(32 - 8 * width) : unit
  }

  /// Skips white space and returns whether there was any.
  @discardableResult
  mutating func skipSpace(in bytes: RawSpan) -> Bool {
    let start = offset
    while true {
      var ahead = self
      switch ahead.next(in: bytes) {
      case 0x09?, 0x0A?, 0x0B?, 0x0C?, 0x0D?, 0x20?: break
      case 0x2028? where width > 1, 0x2029? where width > 1: break
      case 0xE2? where bytes.hasBytes("\u{2028}", at: offset) || bytes.hasBytes("\u{2029}", at: offset):
        ahead.offset = offset + 3
      case 0xE2? where bytes.isPrefix(of: "\u{2028}", from: offset):
        // At the end of the document, the first bytes of a line or paragraph separator count as white space; both
        // separators start with the same two bytes.
        offset = bytes.byteCount
        return true
      default: return offset > start
      }
      self = ahead
    }
  }
}
