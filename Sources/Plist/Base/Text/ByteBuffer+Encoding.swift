extension ByteBuffer {
  mutating func append(utf16BigEndian text: RawSpan) {
    // No character takes more than twice as many bytes in UTF-16 as in UTF-8, but an incomplete character at the end
    // can be written as four bytes.
    write(upTo: 2 * text.byteCount + 2) { $0.put(utf16BigEndian: text) }
  }

  mutating func append(_ bytes: [UInt8]) { bytes.withByteSpan { append($0) } }

  /// Appends UTF-8 text in `encoding`, replacing characters that the encoding lacks with XML references.
  mutating func append(utf8 text: RawSpan, in encoding: TextEncoding) {
    if encoding == .utf8 { return append(text) }
    var offset = 0
    while offset < text.byteCount { append(text.utf8Scalar(at: &offset), in: encoding) }
  }

  private mutating func append(_ scalar: UInt32, in encoding: TextEncoding) {
    guard encoding.hasCharacter(scalar) else {
      append("&#")
      append(decimal: UInt64(scalar))
      return append(0x3B)
    }
    switch encoding {
    case .utf16LittleEndian, .utf16BigEndian:
      let isLittle = encoding == .utf16LittleEndian
      if scalar < 0x10000 { return append(unit: scalar, width: 2, isLittle: isLittle) }
      append(unit: 0xD800 + (scalar &- 0x10000) >> 10 & 0x3FF, width: 2, isLittle: isLittle)
      append(unit: 0xDC00 | scalar & 0x3FF, width: 2, isLittle: isLittle)
    case .utf32LittleEndian: append(unit: scalar, width: 4, isLittle: true)
    case .utf32BigEndian: append(unit: scalar, width: 4, isLittle: false)
    case .utf8, .ascii, .isoLatin1, .windowsLatin1: append(UInt8(truncatingIfNeeded: scalar))
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
      let start = offset
      let scalar = UInt64(text.utf8Scalar(at: &offset))
      if offset - start < 4 {
        put(bigEndian: scalar, width: 2)
      } else {
        let high = 0xD800 | (scalar &- 0x10000) >> 10 & 0x3FF
        put(bigEndian: high << 16 | 0xDC00 | scalar & 0x3FF, width: 4)
      }
    }
  }
}

extension RawSpan {
  /// Returns the scalar at `offset` and advances past it.
  ///
  /// Text in a mapped file can become malformed if the file changes; the result is then an arbitrary number, but not a
  /// trap.
  @inline(__always)
  fileprivate func utf8Scalar(at offset: inout Int) -> UInt32 {
    let start = offset
    let first = UInt32(byte(at: start))
    func tail(_ index: Int) -> UInt32 {
      start + index < byteCount ? UInt32(byte(at: start + index) & 0x3F) : 0
    }
    let scalar: UInt32
    switch first {
    case ..<0x80: (scalar, offset) = (first, start + 1)
    case ..<0xE0: (scalar, offset) = ((first & 0x1F) << 6 | tail(1), start + 2)
    case ..<0xF0: (scalar, offset) = ((first & 0x0F) << 12 | tail(1) << 6 | tail(2), start + 3)
    default: (scalar, offset) = ((first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), start + 4)
    }
    return scalar
  }
}

extension TextEncoding {
  /// Whether the character is written in the encoding itself rather than as an XML reference.
  func hasCharacter(_ scalar: UInt32) -> Bool {
    switch self {
    case .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian: true
    case .isoLatin1: scalar < 0x100
    case .windowsLatin1: scalar < 0x80 || 0xA0..<0x100 ~= scalar
    case .ascii: scalar < 0x80
    }
  }
}
