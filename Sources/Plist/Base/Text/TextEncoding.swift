enum TextEncoding: Hashable, Sendable {
  case utf8, utf16LittleEndian, utf16BigEndian, utf32LittleEndian, utf32BigEndian, ascii, isoLatin1, windowsLatin1

  /// The size of a code unit, in bytes.
  var unitWidth: Int {
    switch self {
    case .utf8, .ascii, .isoLatin1, .windowsLatin1: return 1
    case .utf16LittleEndian, .utf16BigEndian: return 2
    case .utf32LittleEndian, .utf32BigEndian: return 4
    }
  }

  func encodedLength(ofUTF8 bytes: RawSpan, in range: Range<Int>) -> Int {
    if self == .utf8 { return range.upperBound - range.lowerBound }
    var scalars = 0
    var supplementary = 0
    for index in range {
      let byte = bytes.byte(at: index)
      if byte & 0xC0 != 0x80 { scalars += 1 }
      if byte >= 0xF0 { supplementary += 1 }
    }
    return unitWidth == 2 ? 2 * (scalars + supplementary) : unitWidth * scalars
  }

  /// Creates the encoding with the given IANA name or common alias, ignoring case.
  init?(name: String) {
    switch name.uppercased() {
    case "UTF-8", "UTF8": self = .utf8
    case "UTF-16", "UTF16", "UTF-16BE", "UCS-2", "ISO-10646-UCS-2": self = .utf16BigEndian
    case "UTF-16LE": self = .utf16LittleEndian
    case "UTF-32", "UTF32", "UTF-32BE", "UCS-4", "ISO-10646-UCS-4": self = .utf32BigEndian
    case "UTF-32LE": self = .utf32LittleEndian
    case "US-ASCII", "ASCII", "ISO646-US", "ANSI_X3.4-1968": self = .ascii
    case "ISO-8859-1", "ISO_8859-1", "ISO8859-1", "LATIN1", "LATIN-1", "L1": self = .isoLatin1
    case "WINDOWS-1252", "CP1252": self = .windowsLatin1
    default: return nil
    }
  }

  /// The name of the encoding for error messages.
  var name: String {
    switch self {
    case .utf8: return "UTF-8"
    case .utf16LittleEndian, .utf16BigEndian: return "UTF-16"
    case .utf32LittleEndian, .utf32BigEndian: return "UTF-32"
    case .ascii: return "US-ASCII"
    case .isoLatin1: return "ISO-8859-1"
    case .windowsLatin1: return "windows-1252"
    }
  }
}
