/// The first byte of an object of a binary document, and where it is; or no object, which has no marker that means anything.
struct BinaryHead {
  /// The offset of the object, and in the lowest byte its marker; zero for no object.
  let bits: UInt64

  init() { bits = 0 }

  init(bits: UInt64) { self.bits = bits }

  /// The head of the object that `reference` refers to, if there is one.
  @inline(__always)
  init(of reference: UInt64, in bytes: RawSpan, _ table: BinaryObjectTable) {
    self.init()
    guard reference < UInt64(truncatingIfNeeded: table.objectCount) else { return }
    let offset = table.offset(of: Int(truncatingIfNeeded: reference), in: bytes)
    guard offset >= BinaryObjectTable.magicSize else { return }
    self.init(bits: UInt64(truncatingIfNeeded: offset) << 8 | UInt64(bytes.byte(at: offset)))
  }

  @inline(__always)
  var marker: UInt8 { UInt8(truncatingIfNeeded: bits) }

  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: bits >> 8) }

  /// The boolean that the object is; nil for anything else.
  @inline(__always)
  var bool: Bool? { marker & 0xFE == 0x08 ? marker == 0x09 : nil }
}

/// Text that is the bytes of a string.
struct PlainText {
  let start: Int
  let count: Int
  let isASCII: Bool
}

/// Objects of binary documents that are read at once, without a look at what else they might be.
extension DecodingContext {
  /// Dictionaries with more pairs have the heads of their values read one by one.
  private static var mostHeads: Int { 256 }

  /// Reads the heads of the values of a dictionary.
  ///
  /// Objects of one dictionary may be anywhere in the document. Here the processor fetches them all at a time, and not each
  /// when it is decoded.
  @inline(__always)
  func readHeads(of level: DecodingLevel) {
    let count = level.count
    level.fields.value.headCount = 0
    guard count <= Self.mostHeads else { return }
    level.fields.value.values.makeRoom(for: count)
    let heads = level.fields.value.values
    let table = table
    bytes.withSpan { bytes in
      var place = level.start + count * table.referenceSize
      for position in 0..<count {
        heads[position] = BinaryHead(of: table.references.number(at: place, in: bytes), in: bytes, table).bits
        place += table.referenceSize
      }
    }
    level.fields.value.headCount = count
  }

  /// The head of an object.
  @inline(__always)
  func head(of node: Int) -> BinaryHead {
    node < 0 ? BinaryHead() : bytes.withSpan { BinaryHead(of: UInt64(truncatingIfNeeded: node), in: $0, table) }
  }

  /// Where the bytes of data are that is not so long that it matters how often it occurs; nil for anything else.
  @inline(__always)
  func shortData(_ head: BinaryHead) -> Range<Int>? {
    guard head.marker & 0xF0 == 0x40, let (start, count) = shortPayload(head) else { return nil }
    return start..<start + count
  }

  /// Where the bytes of an object are whose count is that of its marker, or one byte behind it; nil for a large count.
  @inline(__always)
  private func shortPayload(_ head: BinaryHead) -> (start: Int, count: Int)? {
    var count = Int(head.marker & 0x0F)
    var start = head.offset + 1
    return bytes.withSpan { bytes in
      if count == 0x0F {
        // The count is before the table, as the byte behind it is.
        guard start + 1 < table.tableOffset, bytes.byte(at: start) == 0x10 else { return nil }
        count = Int(bytes.byte(at: start + 1))
        start += 2
      }
      return count < Self.longText && count <= table.tableOffset - start ? (start, count) : nil
    }
  }

  /// Where the text of an ASCII string is; nil for anything else, and for what may be nil or is long.
  ///
  /// Long is what it matters for how often it occurs. Whether a short one is ASCII is not known yet.
  @inline(__always)
  func plainText(_ head: BinaryHead) -> PlainText? {
    guard head.marker & 0xF0 == 0x50, hasUsualNil, let (start, count) = shortPayload(head) else { return nil }
    return bytes.withSpan { bytes in
      guard count != 5 || bytes.byte(at: start) != 0x24,
        count <= ShortString.largestCount || bytes.isASCII(in: start..<start + count)
      else { return nil }
      return PlainText(start: start, count: count, isASCII: true)
    }
  }

  /// How many values an array or dictionary holds that has but a few, and where its references begin; nil for anything
  /// else.
  @inline(__always)
  func fewReferences(_ head: BinaryHead, _ kind: PlistToken.Kind) -> (count: Int, start: Int)? {
    let count = Int(head.marker & 0x0F)
    guard head.marker & 0xF0 == (kind == .beginArray ? 0xA0 : 0xD0), count < 0x0F else { return nil }
    let size = count * table.referenceSize * (kind == .beginArray ? 1 : 2)
    return size < table.tableOffset - head.offset ? (count, head.offset + 1) : nil
  }

  /// The eight bytes behind the marker, where that is `marker`; nil for anything else.
  @inline(__always)
  func bits(_ head: BinaryHead, marker: UInt8) -> UInt64? {
    guard head.marker == marker, head.offset < table.tableOffset - 8 else { return nil }
    return bytes.withSpan { $0.bigEndian(at: head.offset + 1, width: 8) }
  }

  /// The number of an integer of at most eight bytes; nil for anything else.
  @inline(__always)
  func integer(_ head: BinaryHead) -> Int64? {
    let width = 1 << Int(head.marker & 0x0F)
    // Those of eight bytes have a sign, others have none.
    guard head.marker >= 0x10, head.marker <= 0x13, width < table.tableOffset - head.offset else { return nil }
    return Int64(bitPattern: bytes.withSpan { $0.bigEndian(at: head.offset + 1, width: width) })
  }
}
