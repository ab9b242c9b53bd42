/// Finds a property list in a file that starts with something else, such as a log, a tool's output or an executable.
package enum DocumentBeginning {
  /// Returns the offset after `start` at which a property list seems to begin, or nil if there is none.
  ///
  /// This is the first XML tag or `bplist00`. Without either, it is the first bracket at the start of a line, provided
  /// that nothing before it looks like part of a property list.
  static func next(in bytes: RawSpan, after start: Int) -> Int? {
    var offset = start + 1
    var bracket: Int?
    var isProse = true
    while offset < bytes.byteCount {
      switch bytes.byte(at: offset) {
      case 0x3C where isMarkup(bytes, at: offset): return offset
      case 0x62 where bytes.hasBytes("bplist00", at: offset): return offset
      case 0x7B where isProse && bytes.byte(at: offset - 1) == 0x0A,
        0x28 where isProse && bytes.byte(at: offset - 1) == 0x0A:
        bracket = bracket ?? offset
      case 0x3C, 0x7B, 0x28, 0x3D, 0x3B, 0x22: isProse = false
      default: break
      }
      offset += 1
    }
    return bracket
  }

  /// Whether the markup at `offset` can begin an XML property list.
  static func isMarkup(_ bytes: RawSpan, at offset: Int) -> Bool {
    bytes.hasBytes("<?xml", at: offset) || bytes.hasBytes("<!DOCTYPE plist", at: offset)
      || bytes.hasBytes("<plist", at: offset)
  }
}

/// A kind of file that is sometimes mistaken for a property list.
enum FileKind {
  /// Returns a description of the kind, such as "a Mach-O executable", or nil if the first bytes are not recognized.
  static func name(_ bytes: RawSpan) -> String? {
    guard bytes.byteCount >= 4 else { return nil }
    switch bytes.bigEndian(at: 0, width: 4) {
    case 0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE, 0xCAFE_BABE, 0xCAFE_BABF: return "a Mach-O executable"
    case 0x8950_4E47: return "a PNG image"
    case let word where word >> 16 == 0x1F8B: return "compressed with gzip"
    default: return isPEM(bytes) ? "in PEM, which is Base64 of a signed message or a certificate" : nil
    }
  }

  /// Whether the document begins like a certificate or message in PEM: with `-----BEGIN ` and a label.
  ///
  /// OpenStep text cannot begin like this, because an equals sign or a semicolon would have to follow the key
  /// `-----BEGIN`.
  static func isPEM(_ bytes: RawSpan) -> Bool {
    let label = 11
    return bytes.hasBytes("-----BEGIN ", at: 0) && label < bytes.byteCount
      && (0x41...0x5A).contains(bytes.byte(at: label))
  }
}

/// Characters that do not belong before a property list, and that most editors do not show.
enum InvisibleCharacter {
  static func isThere(_ bytes: RawSpan, at offset: Int) -> Bool {
    bytes.hasBytes("\u{FEFF}", at: offset) || bytes.hasBytes("\u{200B}", at: offset)
      || bytes.hasBytes("\u{2060}", at: offset) || bytes.hasBytes("\u{200E}", at: offset)
      || bytes.hasBytes("\u{200F}", at: offset)
  }

  /// Returns a name for the character at `offset`, or nil if it is not one of these characters.
  static func name(_ bytes: RawSpan, at offset: Int, isFirst: Bool) -> String? {
    if bytes.hasBytes("\u{FEFF}", at: offset) { return isFirst ? "a byte-order mark" : "a second byte-order mark" }
    if bytes.hasBytes("\u{200B}", at: offset) { return "a zero-width space" }
    if bytes.hasBytes("\u{2060}", at: offset) { return "a word joiner" }
    if isThere(bytes, at: offset) { return "a mark of the direction of writing" }
    return nil
  }

  /// Whether one of `“”„‟` is at `offset`.
  static func isQuotationMark(_ bytes: RawSpan, at offset: Int) -> Bool {
    bytes.hasBytes("\u{201C}", at: offset) || bytes.hasBytes("\u{201D}", at: offset)
      || bytes.hasBytes("\u{201E}", at: offset) || bytes.hasBytes("\u{201F}", at: offset)
  }

  static func isApostrophe(_ bytes: RawSpan, at offset: Int) -> Bool {
    bytes.hasBytes("\u{2018}", at: offset) || bytes.hasBytes("\u{2019}", at: offset)
  }
}
