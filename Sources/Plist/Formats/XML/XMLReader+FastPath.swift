extension XMLReader {
  /// Reads tokens up to the first one that isn't in its usual spelling.
  ///
  /// Most documents use no other spelling. ``next(in:)``, which handles the whole grammar and reports all errors, reads
  /// the rest. The state is always as if ``next(in:)`` had read everything.
  @inline(__always)
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {
    guard isBetweenValues else { return }
    // Every word that the loop loads from a tag below `limit` is within the span.
    let limit = bytes.byteCount - 24
    while offset < limit, consumer.acceptsTokens {
      let start = skipSpace(bytes, from: offset)
      guard start < limit, bytes.byte(at: start) == 0x3C else { return }
      if bytes.byte(at: start + 1) == 0x2F {
        guard endPlainContainer(bytes, at: start, into: &consumer) else { return }
        continue
      }
      let isDictionary = top.kind == .dictionary
      var key = PlistToken(.key)
      var valueStart = start
      if isDictionary {
        guard bytes.word(at: start) & XMLScanner.Spelling.mask5 == XMLScanner.Spelling.key,
          let (form, end) = Self.plainKey(bytes, from: start + 5, limit: limit)
        else { return }
        tokenStart = start
        key = PlistToken(.key, form, start + 5..<end)
        consumer.take(key, at: start, in: bytes)
        valueStart = skipSpace(bytes, from: end + 6)
      }
      guard values < valueLimit, valueStart < limit, let tag = XMLScanner.plainTag(bytes, at: valueStart) else {
        if isDictionary { expectValue(of: key) }
        return
      }
      // Strings are the most frequent values, so a separate branch for them saves 7 % of XML → events.
      if tag.element == .string {
        guard let (token, end) = Self.plainString(bytes, from: tag.end, limit: limit) else {
          if isDictionary { expectValue(of: key) }
          return
        }
        values += 1
        tokenStart = valueStart
        offset = end
        completeValue()
        consumer.take(token, at: valueStart, in: bytes)
        continue
      }
      var token = PlistToken(.null)
      guard
        let end = Self.plainValue(
          tag.element, bytes, from: tag.end, limit: limit, canNest: depth < depthLimit, reading: Consumer.readsScalars,
          &token)
      else {
        if isDictionary { expectValue(of: key) }
        return
      }
      values += 1
      tokenStart = valueStart
      offset = end
      if tag.element == .array || tag.element == .dict {
        depth += 1
        if isDictionary {
          top.key = key
          top.hasKey = true
        }
        parents.append(top)
        top = XMLContainer(tag.element == .array ? .array : .dictionary, opened: valueStart)
      } else {
        completeValue()
      }
      consumer.take(token, at: valueStart, in: bytes)
    }
  }

  /// Moves past a key that the consumer has already received, leaving its value to ``next(in:)``.
  @inline(never)
  private mutating func expectValue(of key: PlistToken) {
    tokenStart = key.range.lowerBound - 5
    offset = key.range.upperBound + 6
    top.key = key
    top.hasKey = true
  }

  @inline(__always)
  private mutating func endPlainContainer<Consumer: PlistTokenConsumer & ~Copyable>(
    _ bytes: RawSpan, at start: Int, into consumer: inout Consumer
  ) -> Bool {
    let isArray = top.kind == .array
    let (word, length) = isArray ? XMLElement.array.closing : XMLElement.dict.closing
    guard (bytes.word(at: start) ^ word) << UInt64(64 - 8 * length) == 0, let parent = parents.popLast() else {
      return false
    }
    offset = start + length
    tokenStart = start
    let count = top.count
    depth -= 1
    top = parent
    completeValue()
    consumer.take(PlistToken(isArray ? .endArray : .endDictionary, bits: UInt64(count)), at: start, in: bytes)
    // The fast path does not read `</plist>`, so it stops after the outermost container.
    return top.kind == .array || top.kind == .dictionary
  }

  @inline(__always)
  private static func isStringEnd(_ bytes: RawSpan, at offset: Int) -> Bool {
    bytes.word(at: offset) == XMLElement.string.closing.word && bytes.byte(at: offset &+ 8) == 0x3E
  }

  private static func isKeyEnd(_ bytes: RawSpan, at offset: Int) -> Bool {
    bytes.word(at: offset) << 16 == XMLElement.key.closing.word << 16
  }

  @inline(__always)
  private static func plainKey(_ bytes: RawSpan, from start: Int, limit: Int) -> (PlistToken.Form, end: Int)? {
    guard let end = bytes.plainTextEnd(from: start, limit: limit) else { return nil }
    if isKeyEnd(bytes, at: end) { return (.ascii, end) }
    guard let text = try? XMLText.scan(bytes, from: start, opened: start), text.1 < limit, isKeyEnd(bytes, at: text.1)
    else { return nil }
    return text
  }

  @inline(__always)
  private static func plainString(_ bytes: RawSpan, from start: Int, limit: Int) -> (PlistToken, end: Int)? {
    guard var end = bytes.plainTextEnd(from: start, limit: limit) else { return nil }
    var form = PlistToken.Form.ascii
    if !isStringEnd(bytes, at: end) {
      guard let text = try? XMLText.scan(bytes, from: start, opened: start), text.1 < limit else { return nil }
      (form, end) = text
      guard isStringEnd(bytes, at: end) else { return nil }
    }
    return (PlistToken(.string, form, at: start, count: end &- start), end &+ 9)
  }

  /// Reads a value other than a string, and returns the offset after it or after a container's opening tag; nil for any
  /// unusual spelling.
  @inline(__always)
  private static func plainValue(
    _ element: XMLElement, _ bytes: RawSpan, from start: Int, limit: Int, canNest: Bool, reading readsScalars: Bool,
    _ token: inout PlistToken
  ) -> Int? {
    var offset = start
    switch element {
    case .integer:
      guard let value = try? XMLNumber.integer(bytes, from: start) else { return nil }
      (token, offset) = value
    case .real:
      if let end = XMLNumber.plainRealEnd(bytes, from: start, limit: limit) {
        guard let value = readsScalars ? DecimalNumber(bytes, in: start..<end)?.value : 0 else { return nil }
        (token, offset) = (PlistToken(.real, bits: value.bitPattern), end)
      } else {
        guard let value = try? XMLNumber.real(bytes, from: start) else { return nil }
        (token, offset) = value
      }
    case .date:
      guard start < limit, let date = XMLDate.plain(bytes, from: start) else { return nil }
      token = PlistToken(.date, bits: readsScalars ? Double(date.secondsSinceReference).bitPattern : 0)
      offset = start + XMLDate.plainLength
    case .data:
      guard let value = try? XMLData.read(bytes, from: start) else { return nil }
      (token, offset) = value
    case .true:
      token = PlistToken(.booleanTrue)
      return start
    case .false:
      token = PlistToken(.booleanFalse)
      return start
    case .array:
      token = PlistToken(.beginArray)
      return canNest ? start : nil
    case .dict:
      token = PlistToken(.beginDictionary)
      return canNest && beginsPlainDictionary(bytes, from: start, limit: limit) ? start : nil
    case .plist, .key, .string: return nil
    }
    return offset < limit ? XMLScanner.plainCloseEnd(element, bytes, at: offset) : nil
  }

  /// Whether the dictionary whose content is at `start` begins with a key that cannot be `CF$UID`.
  ///
  /// - Precondition: The span has at least eight bytes from `limit` on.
  @inline(__always)
  private static func beginsPlainDictionary(_ bytes: RawSpan, from start: Int, limit: Int) -> Bool {
    let first = XMLScanner.skipSpace(bytes, from: start)
    guard first < limit, bytes.word(at: first) & XMLScanner.Spelling.mask5 == XMLScanner.Spelling.key else {
      return false
    }
    // `CF$UID` can begin only with the letter `C`, a reference or a CDATA section.
    let letter = bytes.byte(at: first + 5)
    return letter != 0x43 && letter != 0x26 && letter != 0x3C
  }
}
