/// The fast path for the beginning and the end of a document.
///
/// The beginning of a document consists of the prolog and the tag of an array or dictionary. If the prolog and the
/// first tag have their usual spelling, both are read at once. In a small document, parsing the prolog would take as
/// long as parsing many values.
extension XMLReader {
  /// Reads the prolog and the opening tag after the prolog; for any other spelling, reads nothing.
  mutating func beginPlainly<Consumer: PlistTokenConsumer & ~Copyable>(
    in bytes: RawSpan, into consumer: inout Consumer
  ) {
    let start = XMLProlog.text.utf8CodeUnitCount
    // If an offset is below `limit`, a word of eight bytes at the offset is within the span.
    let limit = bytes.byteCount - 24
    guard offset == 0, top.kind == .document, XMLProlog.begins(bytes), start < limit, depthLimit > 0, valueLimit > 0,
      let tag = XMLScanner.plainTag(bytes, at: start),
      tag.element == .array
        || tag.element == .dict && Self.beginsPlainDictionary(bytes, from: tag.end, limit: limit)
    else { return }
    // Capacity for eight containers is reserved at once, because growing the array step by step takes longer than
    // reading a small document.
    parents.reserveCapacity(8)
    parents.append(top)
    parents.append(XMLContainer(.plist, opened: XMLProlog.tagStart))
    top = XMLContainer(tag.element == .array ? .array : .dictionary, opened: start)
    depth = 1
    values = 1
    tokenStart = start
    offset = tag.end
    consumer.take(PlistToken(tag.element == .array ? .beginArray : .beginDictionary), at: start, in: bytes)
  }

  /// Reads the end of the document if the end has the usual spelling; otherwise, reads nothing and returns false.
  func endPlainly<Consumer: PlistTokenConsumer & ~Copyable>(
    in bytes: RawSpan, into consumer: inout Consumer
  ) -> Bool {
    // The end of a document is expected only if the open container has exactly two parents: the document and the
    // `<plist>` element.
    let isArray = top.kind == .array
    guard isBetweenValues, parents.count == 2, parents[1].kind == .plist,
      XMLProlog.ends(bytes, at: offset, isArray: isArray)
    else { return false }
    let token = PlistToken(isArray ? .endArray : .endDictionary, bits: UInt64(top.count))
    consumer.take(token, at: offset + 1, in: bytes)
    return true
  }

  /// Returns whether the dictionary whose content is at `start` begins with a key that cannot be the key of a UID.
  ///
  /// - Precondition: The span must have at least eight bytes from `limit` on.
  @inline(__always)
  static func beginsPlainDictionary(_ bytes: RawSpan, from start: Int, limit: Int) -> Bool {
    let first = XMLScanner.skipSpace(bytes, from: start)
    guard first < limit, bytes.word(at: first) & XMLScanner.Spelling.mask5 == XMLScanner.Spelling.key else {
      return false
    }
    // Only a key that begins with `C`, a reference or a CDATA section can be `CF$UID`, the key of a UID.
    let letter = bytes.byte(at: first + 5)
    return letter != 0x43 && letter != 0x26 && letter != 0x3C
  }
}
