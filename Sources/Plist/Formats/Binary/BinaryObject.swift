/// The marker and size of one object of a binary property list.
struct BinaryObject {
  enum Kind {
    case null, booleanFalse, booleanTrue, integer, negativeInteger, real, date, data, asciiString, utf16String, uid
    case array, dictionary
  }

  var kind: Kind
  /// Where the payload begins.
  var start: Int
  /// The length of the payload in bytes, or the number of elements or pairs.
  var count: Int
  /// The value of a number, a date or a UID.
  var bits: UInt64 = 0

  /// Reads the object at `offset`, whose payload must end before the offset table.
  ///
  /// Any `offset` is allowed, because a mapped file may have changed since the table was checked.
  @inline(__always)  // Saves 5 % of binary → model.
  init(at offset: Int, in bytes: RawSpan, of table: BinaryObjectTable) throws(BinaryFailure) {
    let end = table.tableOffset
    guard offset >= BinaryObjectTable.magicSize, offset < end else {
      throw BinaryFailure(.offset, at: offset, detail: -1)
    }
    let marker = bytes.byte(at: offset)
    let nibble = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x5, 0x6, 0x4:
      let (start, count) = try Self.count(nibble, at: offset, in: bytes, end: end)
      let shift = marker >> 4 == 0x6 ? 1 : 0
      guard count <= (end - start) >> shift else { throw BinaryFailure(.payload, at: offset, detail: count) }
      kind = marker >> 4 == 0x5 ? .asciiString : marker >> 4 == 0x6 ? .utf16String : .data
      self.start = start
      self.count = count << shift
    case 0xA, 0xB, 0xC, 0xD:
      let (start, count) = try Self.count(nibble, at: offset, in: bytes, end: end)
      let isDictionary = marker >> 4 == 0xD
      let width = table.referenceSize * (isDictionary ? 2 : 1)
      guard count <= (end - start) / width else { throw BinaryFailure(.payload, at: offset, detail: count) }
      kind = isDictionary ? .dictionary : .array
      self.start = start
      self.count = count
    case 0x1:
      (kind, bits) = try Self.integer(at: offset, nibble: nibble, in: bytes, end: end)
      start = offset + 1
      count = 1 << nibble
    default:
      (kind, bits) = try Self.other(at: offset, marker: marker, in: bytes, end: end)
      start = offset + 1
      count = 0
    }
  }

  @inline(__always)
  private static func integer(
    at offset: Int, nibble: Int, in bytes: RawSpan, end: Int
  ) throws(BinaryFailure) -> (Kind, UInt64) {
    guard nibble <= 4 else { throw BinaryFailure(.integerSize, at: offset, detail: 1 << nibble) }
    let width = 1 << nibble
    guard width < end - offset else { throw BinaryFailure(.payload, at: offset, detail: width) }
    // Integers of one, two and four bytes are unsigned; those of eight and sixteen are signed.
    let high = bytes.bigEndian(at: offset + 1, width: min(width, 8))
    if width < 16 { return (width == 8 && high >> 63 == 1 ? .negativeInteger : .integer, high) }
    let low = bytes.bigEndian(at: offset + 9, width: 8)
    let isNegative = high == .max && low >> 63 == 1
    guard high == 0 || isNegative else { throw BinaryFailure(.integerRange, at: offset) }
    return (isNegative ? .negativeInteger : .integer, low)
  }

  /// Reads null, a Boolean, a real, a date or a UID.
  @inline(never)
  private static func other(
    at offset: Int, marker: UInt8, in bytes: RawSpan, end: Int
  ) throws(BinaryFailure) -> (Kind, UInt64) {
    func payload(_ width: Int) throws(BinaryFailure) -> UInt64 {
      guard width < end - offset else { throw BinaryFailure(.payload, at: offset, detail: width) }
      return bytes.bigEndian(at: offset + 1, width: width)
    }
    switch marker {
    case 0x00: return (.null, 0)
    case 0x08: return (.booleanFalse, 0)
    case 0x09: return (.booleanTrue, 0)
    case 0x22: return (.real, Double(Float(bitPattern: UInt32(truncatingIfNeeded: try payload(4)))).bitPattern)
    case 0x23: return (.real, try payload(8))
    case 0x33: return (.date, try payload(8))
    case 0x80...0x8F:
      let width = Int(marker & 0x0F) + 1
      let value = try payload(width)
      var isSmall = value <= UInt64(UInt32.max)
      // `value` has only the low eight bytes of a longer UID, so the others must be zero.
      for index in 0..<max(0, width - 8) where bytes.byte(at: offset + 1 + index) != 0 { isSmall = false }
      guard isSmall else { throw BinaryFailure(.uidRange, at: offset) }
      return (.uid, value)
    default: throw BinaryFailure(.marker, at: offset, detail: Int(marker))
    }
  }

  /// Reads a count from the low nibble of the marker, or from the integer after it.
  @inline(__always)
  private static func count(
    _ nibble: Int, at offset: Int, in bytes: RawSpan, end: Int
  ) throws(BinaryFailure) -> (start: Int, count: Int) {
    if nibble < 0x0F { return (offset + 1, nibble) }
    guard offset + 2 < end else { throw BinaryFailure(.count, at: offset) }
    let marker = bytes.byte(at: offset + 1)
    let width = 1 << Int(marker & 0x0F)
    guard marker & 0xF0 == 0x10, width <= 16, width < end - offset - 1 else {
      throw BinaryFailure(.count, at: offset + 1)
    }
    // Of sixteen bytes, only the low eight are read, as in Apple's reader. The caller checks that the object fits.
    let count = bytes.bigEndian(at: offset + 2 + max(0, width - 8), width: min(width, 8))
    return (offset + 2 + width, Int(clamping: count))
  }
}

extension BinaryObject {
  var isContainer: Bool { kind == .array || kind == .dictionary }

  var isText: Bool { kind == .asciiString || kind == .utf16String }

  /// Returns why a string's bytes are not valid in its encoding; nil if they are or the object isn't a string.
  func textFailure(in bytes: RawSpan) -> BinaryFailure? {
    let range = start..<start + count
    switch kind {
    case .asciiString:
      if bytes.isASCII(in: range) { return nil }
      return BinaryFailure(.nonASCII, at: range.first { bytes.byte(at: $0) >= 0x80 } ?? start)
    case .utf16String: return bytes.firstUnpairedSurrogate(in: range).map { BinaryFailure(.surrogate, at: $0) }
    default: return nil
    }
  }

  /// The token of the object when it is a value rather than a key.
  @inline(__always)
  var token: PlistToken {
    switch kind {
    case .null: return PlistToken(.null)
    case .booleanFalse: return PlistToken(.booleanFalse)
    case .booleanTrue: return PlistToken(.booleanTrue)
    case .integer: return PlistToken(.integer, bits: bits)
    case .negativeInteger: return PlistToken(.negativeInteger, bits: bits)
    case .real: return PlistToken(.real, bits: bits)
    case .date: return PlistToken(.date, bits: bits)
    case .uid: return PlistToken(.uid, bits: bits)
    case .data: return PlistToken(.data, .bytes, start..<start + count)
    case .asciiString: return PlistToken(.string, .ascii, start..<start + count)
    case .utf16String: return PlistToken(.string, .utf16BigEndian, start..<start + count)
    case .array: return PlistToken(.beginArray)
    case .dictionary: return PlistToken(.beginDictionary)
    }
  }
}
