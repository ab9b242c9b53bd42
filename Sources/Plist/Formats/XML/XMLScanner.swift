/// The lexical grammar of XML property lists, as pure functions of the bytes and an offset.
///
/// A function that runs out of bytes throws ``XMLFailureReason/endOfInput``, and the caller calls it again once there
/// are more.
enum XMLScanner {
  /// Whether `byte` is white space as allowed between elements: space, tab, LF or CR.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte <= 0x20 && (1 << UInt64(byte)) & (1 << 0x20 | 1 << 0x09 | 1 << 0x0A | 1 << 0x0D as UInt64) != 0
  }

  @inline(__always)
  static func skipSpace(_ bytes: RawSpan, from offset: Int) -> Int {
    var offset = offset
    while offset < bytes.byteCount, isSpace(bytes.byte(at: offset)) { offset += 1 }
    return offset
  }

  @inline(__always)
  static func openTag(_ bytes: RawSpan, at offset: Int) throws(XMLFailure) -> XMLTag {
    if offset + 9 <= bytes.byteCount, let tag = plainTag(bytes, at: offset) { return tag }
    return try anyOpenTag(bytes, at: offset)
  }

  /// Returns the opening tag at `offset` if it is `<true/>`, `<false/>`, or a tag like `<key>` without white space or
  /// attributes.
  ///
  /// - Precondition: The span has at least nine bytes from `offset` on.
  @inline(__always)
  static func plainTag(_ bytes: RawSpan, at offset: Int) -> XMLTag? {
    let word = bytes.word(at: offset)
    if word == Spelling.string { return XMLTag(element: .string, isEmpty: false, end: offset + 8) }
    if word & Spelling.mask5 == Spelling.key { return XMLTag(element: .key, isEmpty: false, end: offset + 5) }
    if word == Spelling.integer, bytes.byte(at: offset + 8) == 0x3E {
      return XMLTag(element: .integer, isEmpty: false, end: offset + 9)
    }
    switch word & Spelling.mask6 {
    case Spelling.dict: return XMLTag(element: .dict, isEmpty: false, end: offset + 6)
    case Spelling.real: return XMLTag(element: .real, isEmpty: false, end: offset + 6)
    case Spelling.date: return XMLTag(element: .date, isEmpty: false, end: offset + 6)
    case Spelling.data: return XMLTag(element: .data, isEmpty: false, end: offset + 6)
    default: break
    }
    switch word & Spelling.mask7 {
    case Spelling.array: return XMLTag(element: .array, isEmpty: false, end: offset + 7)
    case Spelling.true: return XMLTag(element: .true, isEmpty: true, end: offset + 7)
    default: break
    }
    if word == Spelling.false { return XMLTag(element: .false, isEmpty: true, end: offset + 8) }
    return nil
  }

  enum Spelling {
    static let mask5: UInt64 = 0xFF_FFFF_FFFF
    static let mask6: UInt64 = 0xFFFF_FFFF_FFFF
    static let mask7: UInt64 = 0xFF_FFFF_FFFF_FFFF
    // The bytes of each tag, with the first in the lowest bits.
    static let key: UInt64 = 0x3E_7965_6B3C
    static let dict: UInt64 = 0x3E74_6369_643C
    static let real: UInt64 = 0x3E6C_6165_723C
    static let date: UInt64 = 0x3E65_7461_643C
    static let data: UInt64 = 0x3E61_7461_643C
    static let array: UInt64 = 0x3E_7961_7272_613C
    static let `true`: UInt64 = 0x3E_2F65_7572_743C
    static let string: UInt64 = 0x3E67_6E69_7274_733C
    static let `false`: UInt64 = 0x3E2F_6573_6C61_663C
    static let integer: UInt64 = 0x7265_6765_746E_693C
  }

  /// Reads the opening tag whose `<` is at `offset`, in any spelling.
  ///
  /// As in Apple's reader, the name ends at white space or at the end of the tag, attributes are skipped, and a `/`
  /// right before `>` makes the element empty. Unlike Apple's reader, this one refuses `<` and `>` in attribute values.
  private static func anyOpenTag(_ bytes: RawSpan, at offset: Int) throws(XMLFailure) -> XMLTag {
    let start = offset + 1
    var nameEnd = -1
    var quote: UInt8 = 0
    var end = start
    while true {
      guard end < bytes.byteCount else { throw XMLFailure(.endOfInput, at: bytes.byteCount, detail: offset) }
      let byte = bytes.byte(at: end)
      if byte == 0x3E {
        if quote != 0 { throw XMLFailure(.markupInAttribute, at: end) }
        break
      }
      if byte == 0x3C { throw XMLFailure(nameEnd < 0 ? .malformedTag : .markupInAttribute, at: end) }
      if byte == 0 { throw XMLFailure(.nul, at: end) }
      if nameEnd < 0 {
        if isSpace(byte) { nameEnd = end }
      } else if byte == quote {
        quote = 0
      } else if quote == 0, byte == 0x22 || byte == 0x27 {
        quote = byte
      }
      end += 1
    }
    let tag = try openTag(bytes, at: offset, nameEnd: nameEnd, end: end)
    if nameEnd >= 0, let reference = attribute("IDREF", bytes, in: nameEnd..<end) {
      throw XMLFailure(.elementReference, at: offset, detail: reference)
    }
    return tag
  }

  /// Returns the offset of the attribute `name` in `range`, the part of a tag after the element's name; nil if it isn't
  /// there.
  static func attribute(_ name: StaticString, _ bytes: RawSpan, in range: Range<Int>) -> Int? {
    var offset = range.lowerBound
    var quote: UInt8 = 0
    while offset < range.upperBound {
      let byte = bytes.byte(at: offset)
      if quote == 0, isSpace(byte), bytes.hasBytes(name, at: offset + 1) {
        let end = skipSpace(bytes, from: offset + 1 + name.utf8CodeUnitCount)
        if end < range.upperBound, bytes.byte(at: end) == 0x3D { return offset + 1 }
      }
      if byte == quote { quote = 0 } else if quote == 0, byte == 0x22 || byte == 0x27 { quote = byte }
      offset += 1
    }
    return nil
  }

  /// Returns the opening tag from the `<` at `offset` to the `>` at `end`.
  ///
  /// `nameEnd` is the offset of the white space after the name, or negative if there is none.
  static func openTag(_ bytes: RawSpan, at offset: Int, nameEnd: Int, end: Int) throws(XMLFailure) -> XMLTag {
    let start = offset + 1
    let isEmpty = end > start && bytes.byte(at: end - 1) == 0x2F
    let nameEnd = nameEnd >= 0 ? nameEnd : isEmpty ? end - 1 : end
    guard nameEnd > start else { throw XMLFailure(.emptyTag, at: offset) }
    for element in XMLElement.all
    where element.name.utf8CodeUnitCount == nameEnd - start && bytes.hasBytes(element.name, at: start) {
      return XMLTag(element: element, isEmpty: isEmpty, end: end + 1)
    }
    throw XMLFailure(.unknownElement, at: offset)
  }

  @inline(__always)
  static func closeTag(
    _ element: XMLElement, _ bytes: RawSpan, at offset: Int, opened: Int
  ) throws(XMLFailure) -> Int {
    if offset + 10 <= bytes.byteCount, let end = plainCloseEnd(element, bytes, at: offset) { return end }
    return try anyCloseTag(element, bytes, at: offset, opened: opened)
  }

  /// Returns the offset after the closing tag of `element`; nil for a different tag or one with white space.
  ///
  /// - Precondition: The span has at least ten bytes from `offset` on.
  @inline(__always)
  static func plainCloseEnd(_ element: XMLElement, _ bytes: RawSpan, at offset: Int) -> Int? {
    let (spelling, length) = element.closing
    let word = bytes.word(at: offset)
    if length <= 8 { return (word ^ spelling) << UInt64(64 - 8 * length) == 0 ? offset + length : nil }
    // `spelling` has only the first eight bytes of the closing tag, `</string` or `</intege`, so check the rest, `>` or
    // `r>`, too.
    guard word == spelling, bytes.byte(at: offset + length - 1) == 0x3E,
      length == 9 || bytes.byte(at: offset + 8) == 0x72
    else { return nil }
    return offset + length
  }

  private static func anyCloseTag(
    _ element: XMLElement, _ bytes: RawSpan, at offset: Int, opened: Int
  ) throws(XMLFailure) -> Int {
    let name = element.name
    guard offset + 1 < bytes.byteCount else { throw XMLFailure(.endOfInput, at: bytes.byteCount, detail: opened) }
    guard bytes.byte(at: offset + 1) == 0x2F else { throw XMLFailure(.elementInText, at: offset, detail: opened) }
    let nameEnd = offset + 2 + name.utf8CodeUnitCount
    guard bytes.hasBytes(name, at: offset + 2) else {
      // If the bytes end here, this may still become the expected closing tag.
      let end = bytes.firstOffset(of: 0x3E, from: offset)
      if end == bytes.byteCount, bytes.byteCount < nameEnd {
        throw XMLFailure(.endOfInput, at: bytes.byteCount, detail: opened)
      }
      throw XMLFailure(.mismatchedTag, at: offset, detail: opened)
    }
    let end = skipSpace(bytes, from: nameEnd)
    guard end < bytes.byteCount else { throw XMLFailure(.endOfInput, at: bytes.byteCount, detail: opened) }
    guard bytes.byte(at: end) == 0x3E else { throw XMLFailure(.mismatchedTag, at: offset, detail: opened) }
    return end + 1
  }

  static func skipMarkup(
    _ bytes: RawSpan, at offset: Int, allowsDocumentType: Bool
  ) throws(XMLFailure) -> Int {
    let truncated = XMLFailure(.endOfInput, at: bytes.byteCount, detail: offset)
    if bytes.byte(at: offset + 1) == 0x3F {
      // Apple's reader takes `<?>` as a whole processing instruction in one place and as the start of one in another,
      // so refuse it.
      if bytes.hasBytes("<?>", at: offset) { throw XMLFailure(.emptyTag, at: offset) }
      return try end(of: "?>", bytes, from: offset + 2, opened: offset)
    }
    if bytes.hasBytes("<!--", at: offset) { return try end(of: "-->", bytes, from: offset + 4, opened: offset) }
    if allowsDocumentType, bytes.hasBytes("<!DOCTYPE", at: offset) {
      var end = offset + 9
      while end < bytes.byteCount {
        switch bytes.byte(at: end) {
        case 0x3E: return end + 1
        case 0x5B: throw XMLFailure(.internalSubset, at: end)
        case 0: throw XMLFailure(.nul, at: end)
        default: end += 1
        }
      }
      throw truncated
    }
    // More bytes may still make this a comment or a document type.
    if bytes.isPrefix(of: "<!--", from: offset) || allowsDocumentType && bytes.isPrefix(of: "<!DOCTYPE", from: offset) {
      throw truncated
    }
    throw XMLFailure(.misplacedDeclaration, at: offset)
  }

  /// Returns the offset after the comment at `offset`, or nil if there is no complete comment there.
  static func commentEnd(_ bytes: RawSpan, at offset: Int) -> Int? {
    guard bytes.hasBytes("<!--", at: offset) else { return nil }
    return try? skipMarkup(bytes, at: offset, allowsDocumentType: false)
  }

  /// Returns the offset after the markup at `offset`, which has already been read without an error.
  static func markupEnd(_ bytes: RawSpan, at offset: Int) -> Int {
    if bytes.hasBytes("<!", at: offset) || bytes.hasBytes("<?", at: offset),
      let end = try? skipMarkup(bytes, at: offset, allowsDocumentType: true)
    {
      return end
    }
    return min(bytes.byteCount, bytes.firstOffset(of: 0x3E, from: offset) + 1)
  }

  /// Returns the offset after the first `terminator` at or after `start`.
  ///
  /// `terminator` must end in `>`, and `opened` is the offset of the markup it closes. A NUL before it is an error
  /// unless `allowsNUL` is true.
  static func end(
    of terminator: StaticString, _ bytes: RawSpan, from start: Int, opened: Int, allowsNUL: Bool = false
  ) throws(XMLFailure) -> Int {
    var from = start
    while true {
      let bracket = bytes.firstOffset(of: 0x3E, from: from)
      if !allowsNUL {
        let nul = bytes.firstNUL(in: from..<bracket)
        if nul < bracket { throw XMLFailure(.nul, at: nul) }
      }
      guard bracket < bytes.byteCount else { throw XMLFailure(.endOfInput, at: bytes.byteCount, detail: opened) }
      from = bracket + 1
      let first = from - terminator.utf8CodeUnitCount
      if first >= start, bytes.hasBytes(terminator, at: first) { return from }
    }
  }
}
