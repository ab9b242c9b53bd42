/// A pull parser for XML property lists that works on a window of UTF-8 bytes.
///
/// It checks the whole grammar without recursion, using one stack entry per open container. Its state changes only
/// after a complete tag, value or comment, so after an `endOfInput` failure you can call ``next(in:)`` again with more
/// bytes.
struct XMLReader: PlistTokenReader {
  var offset: Int
  /// The offset of the last token's `<`.
  var tokenStart: Int
  /// The innermost open container, or the document.
  var top: XMLContainer
  /// The open containers around `top`, outermost first.
  var parents: [XMLContainer] = []
  /// The number of open containers, not counting the document and the outermost `<plist>`.
  var depth = 0
  /// Whether the last token began an empty element such as `<array/>`, so its end is the next token.
  private var endsAtOnce = false
  var values = 0

  /// The last run of white space that fits into eight bytes together with the `<` after it; the first byte is in the
  /// lowest bits.
  private var lastIndent: UInt64 = 0x3C
  private var lastIndentMask: UInt64 = 0xFF
  private var lastIndentLength = 0

  static var format: PlistFormat { .xml }

  let depthLimit: Int
  let valueLimit: Int
  /// Whether to check for dictionaries that encode a UID; false in the separate reader that does this check.
  private let detectsUIDs: Bool
  private let dates: PlistReadOptions.InvalidDates

  init(
    limits: PlistLimits, from offset: Int = 0, detectsUIDs: Bool = true, dates: PlistReadOptions.InvalidDates = .refuse
  ) {
    self.offset = offset
    tokenStart = offset
    top = XMLContainer(.document, opened: offset)
    depthLimit = limits.effectiveDepth
    valueLimit = limits.maximumValueCount
    self.detectsUIDs = detectsUIDs
    self.dates = dates
  }

  mutating func next(in bytes: RawSpan) throws(XMLFailure) -> PlistToken {
    if endsAtOnce {
      endsAtOnce = false
      return endContainer(at: offset)
    }
    while true {
      let start = skipSpace(bytes, from: offset)
      guard start + 1 < bytes.byteCount, bytes.byte(at: start) == 0x3C else {
        if start == bytes.byteCount, top.kind == .document, top.count == 1 { return PlistToken(.end) }
        throw failure(inPlaceOfMarkup: bytes, at: start)
      }
      let second = bytes.byte(at: start + 1)
      if second == 0x21 || second == 0x3F {
        if start == 0, top.kind == .document, top.count == 0, XMLProlog.begins(bytes), skipProlog() { continue }
        let isBeforeRoot = top.kind == .document && top.count == 0
        if second == 0x21, top.kind == .document, top.count == 1, !bytes.hasBytes("<!--", at: start),
          bytes.byteCount - start >= 4
        {
          throw XMLFailure(.trailingContent, at: start)
        }
        offset = try XMLScanner.skipMarkup(bytes, at: start, allowsDocumentType: isBeforeRoot)
        continue
      }
      if second == 0x2F {
        if let token = try closingTag(bytes, at: start) { return token }
        continue
      }
      if top.kind == .dictionary, !top.hasKey { return try key(XMLScanner.openTag(bytes, at: start), bytes, at: start) }
      if let token = try value(XMLScanner.openTag(bytes, at: start), bytes, at: start) { return token }
    }
  }

  private mutating func skipProlog() -> Bool {
    guard values < valueLimit else { return false }
    // Reserve eight up front: growing step by step would take longer than reading a small document.
    parents.reserveCapacity(8)
    parents.append(top)
    top = XMLContainer(.plist, opened: XMLProlog.tagStart)
    offset = XMLProlog.text.utf8CodeUnitCount
    return true
  }

  /// Returns the offset of the first byte that isn't white space.
  ///
  /// Most lines are indented like the line before. If the white space and `<` are the same as last time, a single
  /// comparison finds the end, which saves 4 to 7 % of the time for values, documents and events of 60,000 records.
  @inline(__always)
  mutating func skipSpace(_ bytes: RawSpan, from offset: Int) -> Int {
    if offset <= bytes.byteCount - 8, bytes.word(at: offset) & lastIndentMask == lastIndent {
      return offset + lastIndentLength
    }
    return skipOtherSpace(bytes, from: offset)
  }

  @inline(never)
  private mutating func skipOtherSpace(_ bytes: RawSpan, from offset: Int) -> Int {
    let start = XMLScanner.skipSpace(bytes, from: offset)
    let length = start - offset
    if length < 8, offset <= bytes.byteCount - 8, bytes.byte(at: start) == 0x3C {
      lastIndentLength = length
      lastIndentMask = UInt64.max >> UInt64(56 - 8 * length)
      lastIndent = bytes.word(at: offset) & lastIndentMask
    }
    return start
  }

  private func failure(inPlaceOfMarkup bytes: RawSpan, at start: Int) -> XMLFailure {
    guard start < bytes.byteCount else {
      if top.kind == .document { return XMLFailure(.emptyDocument, at: start) }
      return XMLFailure(.endOfInput, at: start, detail: top.opened)
    }
    if bytes.byte(at: start) == 0 { return XMLFailure(.nul, at: start) }
    if top.kind == .document, top.count == 1 { return XMLFailure(.trailingContent, at: start) }
    if bytes.byte(at: start) != 0x3C { return XMLFailure(.unexpectedText, at: start) }
    return XMLFailure(.endOfInput, at: bytes.byteCount, detail: start)
  }

  /// Reads the closing tag at `start`, returning nil for `</plist>`.
  private mutating func closingTag(_ bytes: RawSpan, at start: Int) throws(XMLFailure) -> PlistToken? {
    switch top.kind {
    case .document:
      throw XMLFailure(top.count == 1 ? .trailingContent : .unopenedTag, at: start)
    case .plist:
      let end = try XMLScanner.closeTag(.plist, bytes, at: start, opened: top.opened)
      guard top.count == 1 else { throw XMLFailure(.emptyPropertyList, at: top.opened) }
      offset = end
      if parents.count > 1 { depth -= 1 }
      top = parents.removeLast()
      completeValue()
      return nil
    case .array:
      offset = try XMLScanner.closeTag(.array, bytes, at: start, opened: top.opened)
    case .dictionary:
      let end = try XMLScanner.closeTag(.dict, bytes, at: start, opened: top.opened)
      guard !top.hasKey else { throw XMLFailure(.missingValue, at: start) }
      offset = end
    }
    return endContainer(at: start)
  }

  private mutating func endContainer(at start: Int) -> PlistToken {
    tokenStart = start
    let token = PlistToken(top.kind == .array ? .endArray : .endDictionary, bits: UInt64(top.count))
    depth -= 1
    // The separate reader that checks for a UID has no parents, so use a `document` instead.
    top = parents.popLast() ?? XMLContainer(.document, opened: start)
    completeValue()
    return token
  }

  /// Whether the reader is in a container where a value, a key or the end can come next.
  var isBetweenValues: Bool {
    !endsAtOnce && !top.hasKey && (top.kind == .dictionary || top.kind == .array)
  }

  mutating func completeValue() {
    top.count += 1
    top.hasKey = false
  }

  /// Moves past the key or scalar from `start` to `end`, which the caller has read.
  ///
  /// - Returns: Whether it was a key.
  mutating func completeElement(from start: Int, to end: Int) -> Bool {
    tokenStart = start
    offset = end
    guard top.kind == .dictionary, !top.hasKey else {
      values += 1
      completeValue()
      return false
    }
    top.key = PlistToken(.key, .ascii, start..<start)
    top.hasKey = true
    return true
  }

  @inline(__always)
  private mutating func key(_ tag: XMLTag, _ bytes: RawSpan, at start: Int) throws(XMLFailure) -> PlistToken {
    guard tag.element == .key else { throw XMLFailure(.missingKey, at: start) }
    let token = try text(.key, in: .key, tag, bytes, at: start)
    tokenStart = start
    top.key = token
    top.hasKey = true
    return token
  }

  /// Reads the key or value whose opening tag `XMLRepairer` has already read, returning nil for `<plist>`.
  mutating func element(_ tag: XMLTag, _ bytes: RawSpan, at start: Int) throws(XMLFailure) -> PlistToken? {
    if top.kind == .dictionary, !top.hasKey { return try key(tag, bytes, at: start) }
    return try value(tag, bytes, at: start)
  }

  /// Reads the value whose opening tag is `tag`, returning nil for `<plist>`, which is not a value.
  @inline(__always)
  private mutating func value(_ tag: XMLTag, _ bytes: RawSpan, at start: Int) throws(XMLFailure) -> PlistToken? {
    if top.count == 1, top.kind == .plist || top.kind == .document {
      throw XMLFailure(top.kind == .plist ? .secondValue : .trailingContent, at: start)
    }
    guard values < valueLimit else { throw XMLFailure(.tooManyValues, at: start) }
    let token: PlistToken
    switch tag.element {
    // A `<key>` in place of a value is a string, as in Apple's reader.
    case .string: token = try text(.string, in: .string, tag, bytes, at: start)
    case .key: token = try text(.string, in: .key, tag, bytes, at: start)
    case .integer: token = try scalar(.integer, tag, bytes, at: start, or: .invalidInteger, read: XMLNumber.integer)
    case .real: token = try scalar(.real, tag, bytes, at: start, or: .invalidReal, read: XMLNumber.real)
    case .date:
      let read = dates == .refuse ? XMLDate.read : XMLLenient.date
      token = try scalar(.date, tag, bytes, at: start, or: .invalidDate, read: read)
    case .data: token = try scalar(.data, tag, bytes, at: start, or: .emptyData, read: XMLData.read)
    case .true, .false:
      if tag.isEmpty {
        offset = tag.end
      } else {
        let end = bytes.firstOffset(of: 0x3C, from: tag.end)
        guard end == tag.end, end < bytes.byteCount else {
          if end == bytes.byteCount { throw XMLFailure(.endOfInput, at: end, detail: start) }
          throw XMLFailure(.textInBoolean, at: tag.end, detail: start)
        }
        offset = try XMLScanner.closeTag(tag.element, bytes, at: tag.end, opened: start)
      }
      token = PlistToken(tag.element == .true ? .booleanTrue : .booleanFalse)
    case .array:
      try begin(.array, tag, at: start)
      return PlistToken(.beginArray)
    case .dict:
      if !tag.isEmpty, detectsUIDs, let uid = try uid(bytes, from: tag.end, at: start) {
        token = uid
        break
      }
      try begin(.dictionary, tag, at: start)
      return PlistToken(.beginDictionary)
    case .plist:
      guard !tag.isEmpty else { throw XMLFailure(.emptyPropertyList, at: start) }
      if top.kind != .document {
        guard depth < depthLimit else { throw XMLFailure(.depth, at: start) }
        depth += 1
      }
      parents.append(top)
      top = XMLContainer(.plist, opened: start)
      offset = tag.end
      return nil
    }
    tokenStart = start
    values += 1
    completeValue()
    return token
  }

  mutating func begin(_ kind: XMLContainer.Kind, _ tag: XMLTag, at start: Int) throws(XMLFailure) {
    guard depth < depthLimit else { throw XMLFailure(.depth, at: start) }
    depth += 1
    values += 1
    parents.append(top)
    top = XMLContainer(kind, opened: start)
    tokenStart = start
    offset = tag.end
    endsAtOnce = tag.isEmpty
  }

  private mutating func scalar(
    _ element: XMLElement, _ tag: XMLTag, _ bytes: RawSpan, at start: Int, or empty: XMLFailureReason,
    read: (RawSpan, Int) throws(XMLFailure) -> (PlistToken, Int)
  ) throws(XMLFailure) -> PlistToken {
    guard !tag.isEmpty else { throw XMLFailure(empty, at: start) }
    let (token, end) = try read(bytes, tag.end)
    guard end < bytes.byteCount else { throw XMLFailure(.endOfInput, at: bytes.byteCount, detail: start) }
    offset = try XMLScanner.closeTag(element, bytes, at: end, opened: start)
    return token
  }

  @inline(__always)
  private mutating func text(
    _ kind: PlistToken.Kind, in element: XMLElement, _ tag: XMLTag, _ bytes: RawSpan, at start: Int
  ) throws(XMLFailure) -> PlistToken {
    guard !tag.isEmpty else {
      offset = tag.end
      return PlistToken(kind, .ascii, tag.end..<tag.end)
    }
    let (form, end) = try XMLText.scan(bytes, from: tag.end, opened: start)
    offset = try XMLScanner.closeTag(element, bytes, at: end, opened: start)
    return PlistToken(kind, form, tag.end..<end)
  }

  /// Whether readers refuse the dictionary whose content begins at `start` because its only key is `CF$UID` and the
  /// value is a number but not a valid UID.
  static func isInvalidUID(_ bytes: RawSpan, from start: Int) -> Bool {
    var reader = XMLReader(limits: PlistLimits(), from: start)
    do throws(XMLFailure) { _ = try reader.uid(bytes, from: start, at: start) } catch {
      return error.reason == .invalidUID
    }
    return false
  }

  /// Returns a UID if the dictionary's only key is `CF$UID` and its value is a number; otherwise nil.
  ///
  /// Throws if the number is not an integer from 0 to 2³² − 1.
  @inline(never)
  private mutating func uid(_ bytes: RawSpan, from content: Int, at start: Int) throws(XMLFailure) -> PlistToken? {
    guard try XMLText.mayBeginWithUIDKey(bytes, from: content) else { return nil }
    let limits = PlistLimits(maximumDepth: 1, maximumValueCount: .max)
    var ahead = XMLReader(limits: limits, from: content, detectsUIDs: false)
    ahead.top = XMLContainer(.dictionary, opened: start)
    var found: PlistToken?
    while true {
      let token: PlistToken
      do {
        token = try ahead.next(in: bytes)
        if token.kind == .key {
          guard bytes.decodedText(token) == "CF$UID" else { return nil }
          let value = try ahead.next(in: bytes)
          // A container isn't a UID. Stop here, or its keys would be taken for the dictionary's own.
          guard value.kind != .beginDictionary, value.kind != .beginArray else { return nil }
          found = value
          continue
        }
      } catch {
        // The main reader will read the same bytes again and report any other error.
        if error.reason == .endOfInput { throw error }
        return nil
      }
      guard token.kind == .endDictionary, let found else { return nil }
      let isInteger = found.kind == .integer || found.kind == .negativeInteger
      guard isInteger || found.kind == .real else { return nil }
      guard found.kind == .integer, found.first <= UInt64(UInt32.max) else {
        throw XMLFailure(.invalidUID, at: start)
      }
      offset = ahead.offset
      return PlistToken(.uid, bits: found.first)
    }
  }
}

/// The text before the value in nearly every XML property list, as Apple's tools and ``XMLFormatter`` write it.
///
/// A single comparison with this text establishes the format and the encoding, without parsing.
enum XMLProlog {
  static let text: StaticString = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  static let tagStart = text.utf8CodeUnitCount - #"<plist version="1.0">"#.utf8.count - 1

  static func begins(_ bytes: RawSpan) -> Bool { bytes.hasBytes(text, at: 0) }
}
