extension RawSpan {
  func starts(with prefix: [UInt8]) -> Bool {
    guard byteCount >= prefix.count else { return false }
    for (index, expected) in prefix.enumerated() where byte(at: index) != expected { return false }
    return true
  }

  /// Appends the text to `buffer` as UTF-8, up to the first bytes that are invalid in `encoding`.
  ///
  /// - Returns: The offset of the first invalid bytes, or nil if all are valid.
  func transcode(from encoding: TextEncoding, start: Int, into buffer: inout ByteBuffer) -> Int? {
    var offset = start
    let width = encoding.unitWidth
    while offset < byteCount {
      guard byteCount - offset >= width, let scalar = scalar(at: &offset, in: encoding) else { return offset }
      if scalar < 0x80 {
        buffer.append(UInt8(scalar))
      } else {
        let encoded = UTF8Scalar(scalar)
        buffer.append(word: encoded.word, width: encoded.count)
      }
    }
    return nil
  }

  /// Returns the scalar at `offset` and advances past it, or returns nil without advancing if the scalar is malformed.
  private func scalar(at offset: inout Int, in encoding: TextEncoding) -> UInt32? {
    switch encoding {
    case .utf8, .ascii:
      guard byte(at: offset) < 0x80 else { return nil }
      offset += 1
      return UInt32(byte(at: offset - 1))
    case .isoLatin1:
      offset += 1
      return UInt32(byte(at: offset - 1))
    case .windowsLatin1:
      guard let scalar = windowsLatin1Scalar(byte(at: offset)) else { return nil }
      offset += 1
      return scalar
    case .utf16LittleEndian, .utf16BigEndian:
      let isLittle = encoding == .utf16LittleEndian
      let unit = unit(at: offset, width: 2, isLittle: isLittle)
      guard unit & 0xF800 == 0xD800 else {
        offset += 2
        return unit
      }
      guard unit < 0xDC00, byteCount - offset >= 4 else { return nil }
      let low = self.unit(at: offset + 2, width: 2, isLittle: isLittle)
      guard low & 0xFC00 == 0xDC00 else { return nil }
      offset += 4
      return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    case .utf32LittleEndian, .utf32BigEndian:
      let unit = unit(at: offset, width: 4, isLittle: encoding == .utf32LittleEndian)
      guard unit <= 0x10FFFF, unit & 0xFFFF_F800 != 0xD800 else { return nil }
      offset += 4
      return unit
    }
  }

  private func unit(at offset: Int, width: Int, isLittle: Bool) -> UInt32 {
    let value = UInt32(truncatingIfNeeded: bigEndian(at: offset, width: width))
    return isLittle ? value.byteSwapped >> UInt32(32 - 8 * width) : value
  }

  /// Returns the scalar for a Windows-1252 byte, or nil for the five bytes that the encoding doesn't define.
  func windowsLatin1Scalar(_ byte: UInt8) -> UInt32? {
    guard 0x80...0x9F ~= byte else { return UInt32(byte) }
    let upper: [UInt32] = [
      0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
      0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
      0x0178,
    ]
    let scalar = upper[Int(byte - 0x80)]
    return scalar == 0 ? nil : scalar
  }
}
