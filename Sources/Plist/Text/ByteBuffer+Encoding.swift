extension ByteBuffer {
  mutating func append(utf16BigEndian text: RawSpan) {
    // In UTF-16, no character takes more than twice as many bytes as in UTF-8. The buffer reserves two extra bytes,
    // because an incomplete character at the end of the text can be written as four bytes.
    write(upTo: 2 * text.byteCount + 2) { $0.put(utf16BigEndian: text) }
  }

  mutating func append(_ bytes: [UInt8]) { bytes.withByteSpan { append($0) } }

  /// Converts UTF-8 text to `encoding`, and appends the result.
  ///
  /// Characters that `encoding` cannot represent become XML character references.
  mutating func append(utf8 text: [UInt8], in encoding: TextEncoding) {
    if encoding == .utf8 { return append(text) }
    text.withByteSpan { append(utf8: $0, in: encoding) }
  }

  // If a mapped file changes, its text can become malformed. Malformed text is converted to arbitrary text, and the
  // conversion does not trap.
  mutating func append(utf8 text: RawSpan, in encoding: TextEncoding) {
    var offset = 0
    while offset < text.byteCount {
      let first = UInt32(text.byte(at: offset))
      func tail(_ index: Int) -> UInt32 {
        offset + index < text.byteCount ? UInt32(text.byte(at: offset + index) & 0x3F) : 0
      }
      let scalar: UInt32
      switch first {
      case ..<0x80: (scalar, offset) = (first, offset + 1)
      case ..<0xE0: (scalar, offset) = ((first & 0x1F) << 6 | tail(1), offset + 2)
      case ..<0xF0: (scalar, offset) = ((first & 0x0F) << 12 | tail(1) << 6 | tail(2), offset + 3)
      default: (scalar, offset) = ((first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), offset + 4)
      }
      append(scalar, in: encoding)
    }
  }

  private mutating func append(_ scalar: UInt32, in encoding: TextEncoding) {
    switch encoding {
    case .utf16LittleEndian, .utf16BigEndian:
      let isLittle = encoding == .utf16LittleEndian
      if scalar < 0x10000 { return append(unit: scalar, width: 2, isLittle: isLittle) }
      append(unit: 0xD800 + (scalar &- 0x10000) >> 10 & 0x3FF, width: 2, isLittle: isLittle)
      append(unit: 0xDC00 | scalar & 0x3FF, width: 2, isLittle: isLittle)
    case .utf32LittleEndian: append(unit: scalar, width: 4, isLittle: true)
    case .utf32BigEndian: append(unit: scalar, width: 4, isLittle: false)
    case .isoLatin1 where scalar < 0x100, .windowsLatin1 where scalar < 0x80,
      .windowsLatin1 where 0xA0..<0x100 ~= scalar:
      append(UInt8(scalar))
    case _ where scalar < 0x80: append(UInt8(scalar))
    default:
      append("&#")
      append(decimal: UInt64(scalar))
      append(0x3B)
    }
  }

  private mutating func append(unit: UInt32, width: Int, isLittle: Bool) {
    append(bigEndian: UInt64(isLittle ? unit.byteSwapped >> UInt32(32 - 8 * width) : unit), width: width)
  }
}

extension ByteCursor {
  fileprivate mutating func put(utf16BigEndian text: RawSpan) {
    var offset = 0
    while offset < text.byteCount {
      let first = UInt64(text.byte(at: offset))
      func tail(_ index: Int) -> UInt64 {
        offset + index < text.byteCount ? UInt64(text.byte(at: offset + index) & 0x3F) : 0
      }
      if first < 0x80 {
        put(bigEndian: first, width: 2)
        offset += 1
      } else if first < 0xE0 {
        put(bigEndian: (first & 0x1F) << 6 | tail(1), width: 2)
        offset += 2
      } else if first < 0xF0 {
        put(bigEndian: (first & 0x0F) << 12 | tail(1) << 6 | tail(2), width: 2)
        offset += 3
      } else {
        let scalar = (first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3)
        let high = 0xD800 | (scalar &- 0x10000) >> 10 & 0x3FF
        put(bigEndian: high << 16 | 0xDC00 | scalar & 0x3FF, width: 4)
        offset += 4
      }
    }
  }
}

extension TextEncoding {
  /// Whether the encoding can represent the character; any other character is written as an XML character reference.
  func hasCharacter(_ scalar: UInt32) -> Bool {
    switch self {
    case .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian: true
    case .isoLatin1: scalar < 0x100
    case .windowsLatin1: scalar < 0x80 || 0xA0..<0x100 ~= scalar
    case .ascii: scalar < 0x80
    }
  }
}
