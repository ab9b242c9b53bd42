extension Base64 {
  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// The two base64 digits for each 12-bit number, with the first digit in the low byte.
  ///
  /// This takes half as many lookups as a table of single digits.
  fileprivate static let pairs: [UInt16] = (0..<4096).map { bits in
    UInt16(alphabet.byte(at: bits >> 6)) | UInt16(alphabet.byte(at: bits & 63)) << 8
  }
}

extension ByteBuffer {
  /// Appends `bytes` as lines of base64 that encode `lineLength` bytes each; `lineLength` must be a multiple of three.
  mutating func append(base64 bytes: RawSpan, tabs: Int, lineLength: Int) {
    // Most data fits on one line, for which the division would take as long as the encoding.
    let lines = bytes.byteCount <= lineLength ? 1 : (bytes.byteCount + lineLength - 1) / lineLength
    unsafe Base64.pairs.withUnsafeBufferPointer { pairs in
      write(upTo: (bytes.byteCount + 2) / 3 * 4 + lines * (tabs + 1)) { cursor in
        var offset = 0
        while offset < bytes.byteCount {
          let end = min(offset + lineLength, bytes.byteCount)
          cursor.put(tabs: tabs)
          unsafe cursor.put(base64: bytes, in: offset..<end, pairs: pairs)
          cursor.put(0x0A)
          offset = end
        }
      }
    }
  }
}

extension ByteCursor {
  @inline(__always)
  fileprivate mutating func put(base64 bytes: RawSpan, in range: Range<Int>, pairs: UnsafeBufferPointer<UInt16>) {
    // Sound: the table has an entry for each 12-bit number.
    func digits(_ bits: UInt64) -> UInt64 { UInt64(unsafe pairs[Int(bits & 0xFFF)]) }
    /// Returns the eight digits that encode the six high bytes of `group`.
    func allDigits(_ group: UInt64) -> UInt64 {
      digits(group >> 52) | digits(group >> 40) << 16 | digits(group >> 28) << 32 | digits(group >> 16) << 48
    }
    var offset = range.lowerBound
    // Load eight bytes at a time and encode six of them.
    while offset <= min(range.upperBound - 6, bytes.byteCount - 8) {
      put(word: allDigits(bytes.word(at: offset).bigEndian))
      offset += 6
    }
    if offset >= 2, offset <= range.upperBound - 6 {
      put(word: allDigits(bytes.word(at: offset - 2).bigEndian << 16))
      offset += 6
    }
    while offset <= range.upperBound - 3 {
      let group = UInt64(bytes.byte(at: offset)) << 16 | bytes.bigEndian(at: offset + 1, width: 2)
      put(word: digits(group >> 12) | digits(group) << 16, width: 4)
      offset += 3
    }
    switch range.upperBound - offset {
    case 1: put(word: digits(UInt64(bytes.byte(at: offset)) << 4) | 0x3D3D << 16, width: 4)
    case 2:
      let group = bytes.bigEndian(at: offset, width: 2) << 2
      put(word: digits(group >> 6) | (digits(group << 6) & 0xFF) << 16 | 0x3D << 24, width: 4)
    default: break
    }
  }
}
