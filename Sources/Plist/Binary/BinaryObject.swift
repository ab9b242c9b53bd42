/// The marker and size of one object of a binary property list.
struct BinaryObject {
  enum Kind {
    case null, booleanFalse, booleanTrue, integer, negativeInteger, real, date, data, asciiString, utf16String, uid
    case array, dictionary
  }

  var kind: Kind
  /// Where the payload begins.
  var start: Int
  /// The payload's length in bytes, or the number of elements or pairs.
  var count: Int
  /// The value of a scalar.
  var bits: UInt64 = 0

  private init(_ kind: Kind, start: Int, count: Int = 0, bits: UInt64 = 0) {
    self.kind = kind
    self.start = start
    self.count = count
    self.bits = bits
  }

  /// Reads the head of the object at `offset`, all of whose payload must be before the table.
  @inline(__always)
  init(at offset: Int, in bytes: RawSpan, of table: BinaryObjectTable) throws(BinaryFailure) {
    try self.init(at: offset, in: bytes, end: table.tableOffset, referenceSize: table.referenceSize)
  }

  private init(at offset: Int, in bytes: RawSpan, end: Int, referenceSize: Int) throws(BinaryFailure) {
    guard offset >= BinaryObjectTable.magicSize else { throw BinaryFailure(.offset, at: offset, detail: -1) }
    let marker = bytes.byte(at: offset)
    let nibble = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x5, 0x6, 0x4:
      let (start, count) = try Self.count(nibble, at: offset, in: bytes, end: end)
      let width = marker >> 4 == 0x6 ? 2 : 1
      guard count <= (end - start) / width else { throw BinaryFailure(.payload, at: offset, detail: count) }
      let kind: Kind = marker >> 4 == 0x5 ? .asciiString : marker >> 4 == 0x6 ? .utf16String : .data
      self.init(kind, start: start, count: count * width)
    case 0xA, 0xB, 0xC, 0xD:
      let (start, count) = try Self.count(nibble, at: offset, in: bytes, end: end)
      let isDictionary = marker >> 4 == 0xD
      let width = referenceSize * (isDictionary ? 2 : 1)
      guard count <= (end - start) / width else { throw BinaryFailure(.payload, at: offset, detail: count) }
      self.init(isDictionary ? .dictionary : .array, start: start, count: count)
    case 0x1:
      try self.init(integerAt: offset, nibble: nibble, in: bytes, end: end)
    default:
      try self.init(otherAt: offset, marker: marker, in: bytes, end: end)
    }
  }

  private init(integerAt offset: Int, nibble: Int, in bytes: RawSpan, end: Int) throws(BinaryFailure) {
    guard nibble <= 4 else { throw BinaryFailure(.integerSize, at: offset, detail: 1 << nibble) }
    let width = 1 << nibble
    guard width < end - offset else { throw BinaryFailure(.payload, at: offset, detail: width) }
    // Integers of one, two and four bytes are unsigned, those of eight signed, of sixteen signed with 128 bits.
    let low = bytes.bigEndian(at: offset + max(1, width - 7), width: min(width, 8))
    var isNegative = width == 8 && low >> 63 == 1
    if width == 16 {
      let high = bytes.bigEndian(at: offset + 1, width: 8)
      isNegative = high == .max && low >> 63 == 1
      guard high == 0 || isNegative else { throw BinaryFailure(.integerRange, at: offset) }
    }
    self.init(isNegative ? .negativeInteger : .integer, start: offset + 1, count: width, bits: low)
  }

  private init(otherAt offset: Int, marker: UInt8, in bytes: RawSpan, end: Int) throws(BinaryFailure) {
    func payload(_ width: Int) throws(BinaryFailure) -> UInt64 {
      guard width < end - offset else { throw BinaryFailure(.payload, at: offset, detail: width) }
      return bytes.bigEndian(at: offset + 1, width: width)
    }
    switch marker {
    case 0x00: self.init(.null, start: offset + 1)
    case 0x08: self.init(.booleanFalse, start: offset + 1)
    case 0x09: self.init(.booleanTrue, start: offset + 1)
    case 0x22:
      let value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: try payload(4))))
      self.init(.real, start: offset + 1, bits: value.bitPattern)
    case 0x23: self.init(.real, start: offset + 1, bits: try payload(8))
    case 0x33: self.init(.date, start: offset + 1, bits: try payload(8))
    case 0x80...0x8F:
      let width = Int(marker & 0x0F) + 1
      let value = try payload(width)
      var isSmall = value <= UInt64(UInt32.max)
      // Only the low eight bytes are in `value`.
      for index in 0..<max(0, width - 8) where bytes.byte(at: offset + 1 + index) != 0 { isSmall = false }
      guard isSmall else { throw BinaryFailure(.uidRange, at: offset) }
      self.init(.uid, start: offset + 1, bits: value)
    default: throw BinaryFailure(.marker, at: offset, detail: Int(marker))
    }
  }

  /// The count in the low nibble of the marker at `offset`, or in the integer that follows it, and where the payload
  /// begins.
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
    // Of sixteen bytes the low eight count, as in Apple's reader; a wrong number fails against the size.
    let count = bytes.bigEndian(at: offset + 2 + max(0, width - 8), width: min(width, 8))
    return (offset + 2 + width, Int(clamping: count))
  }
}

extension BinaryObject {
  /// Whether the object holds others.
  var isContainer: Bool { kind == .array || kind == .dictionary }

  /// Whether the object is no string, or one whose bytes are what its marker says.
  func isWellFormedText(in bytes: RawSpan) -> Bool {
    switch kind {
    case .asciiString: return bytes.isASCII(in: start..<start + count)
    case .utf16String: return bytes.firstUnpairedSurrogate(in: start..<start + count) == nil
    default: return true
    }
  }

  /// The token of the object, as a value.
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
