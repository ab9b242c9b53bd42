enum JSONScanner {
  static func skipSpace(_ bytes: RawSpan, from start: Int) -> Int {
    var offset = start
    while offset < bytes.byteCount {
      let byte = bytes.byte(at: offset)
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      offset += 1
    }
    return offset
  }
}

enum JSONEscape {
  static func string(
    _ kind: PlistToken.Kind, _ bytes: RawSpan, at start: Int
  ) throws(TextFailure) -> (PlistToken, Int) {
    let (token, end) = try TextEscapes.scan(
      kind, bytes, from: start + 1, quote: 0x22, refusesControls: true, escaped: .escapedJSON, escape: read)
    return (token, end + 1)
  }

  static func read(_ bytes: RawSpan, at offset: Int) throws(TextFailure) -> (UInt32, Int) {
    guard offset + 1 < bytes.byteCount else { throw TextFailure(.endOfInput, at: bytes.byteCount, detail: offset) }
    let byte = bytes.byte(at: offset + 1)
    switch byte {
    case 0x22, 0x5C, 0x2F: return (UInt32(byte), offset + 2)
    case 0x62: return (0x08, offset + 2)
    case 0x66: return (0x0C, offset + 2)
    case 0x6E: return (0x0A, offset + 2)
    case 0x72: return (0x0D, offset + 2)
    case 0x74: return (0x09, offset + 2)
    case 0x75: return try TextEscapes.scalar(bytes, at: offset, letter: 0x75, least: 4)
    default: throw TextFailure(.invalidEscape, at: offset, detail: offset + 2)
    }
  }
}

enum JSONNumber {
  /// Returns the offset after the number at `start`, or after the whole word if it isn't a number.
  static func end(_ bytes: RawSpan, from start: Int) -> Int {
    var end = start
    while end < bytes.byteCount, bytes.byte(at: end).isWordCharacter || bytes.byte(at: end) == 0x2B {
      end += 1
    }
    return end
  }

  static func read(_ bytes: RawSpan, at start: Int) throws(TextFailure) -> (PlistToken, Int) {
    // Error messages quote the whole word, even if it isn't a number.
    let end = end(bytes, from: start)
    let digits = bytes.byte(at: start) == 0x2D ? start + 1 : start
    var offset = digits
    try skipDigits(bytes, from: &offset, to: end, number: start)
    // If there are several digits before the point, the first cannot be zero.
    guard offset == digits + 1 || bytes.byte(at: digits) != 0x30 else {
      throw TextFailure(.invalidReal, at: start, detail: end)
    }
    guard offset < end else { return (try integer(bytes, in: start..<end), end) }
    if bytes.byte(at: offset) == 0x2E {
      offset += 1
      try skipDigits(bytes, from: &offset, to: end, number: start)
    }
    if offset < end, bytes.byte(at: offset) | 0x20 == 0x65 {
      offset += 1
      if offset < end, bytes.byte(at: offset) == 0x2B || bytes.byte(at: offset) == 0x2D { offset += 1 }
      try skipDigits(bytes, from: &offset, to: end, number: start)
    }
    guard offset == end, let value = DecimalNumber(bytes, in: start..<end)?.value else {
      throw TextFailure(.invalidReal, at: start, detail: end)
    }
    guard value.isFinite else { throw TextFailure(.realOverflow, at: start, detail: end) }
    return (PlistToken(.real, bits: value.bitPattern), end)
  }

  private static func skipDigits(
    _ bytes: RawSpan, from offset: inout Int, to end: Int, number start: Int
  ) throws(TextFailure) {
    let first = offset
    while offset < end, bytes.byte(at: offset) &- 0x30 < 10 { offset += 1 }
    guard offset > first else {
      // If the input ends here, the number may still continue.
      if first == bytes.byteCount { throw TextFailure(.endOfInput, at: first, detail: start) }
      throw TextFailure(.invalidReal, at: start, detail: end)
    }
  }

  private static func integer(_ bytes: RawSpan, in range: Range<Int>) throws(TextFailure) -> PlistToken {
    // Nineteen digits cannot overflow `UInt64`. If a mapped file changes in the meantime, the number is wrong, but
    // nothing traps.
    if range.count <= 19, bytes.byte(at: range.lowerBound) != 0x2D {
      var value: UInt64 = 0
      for index in range { value = value &* 10 &+ UInt64(bytes.byte(at: index) & 0x0F) }
      return PlistToken(.integer, bits: value)
    }
    guard let value = PropertyListInteger(String(utf8: bytes, in: range)) else {
      throw TextFailure(.integerOverflow, at: range.lowerBound, detail: range.upperBound)
    }
    return PlistToken(value)
  }
}
