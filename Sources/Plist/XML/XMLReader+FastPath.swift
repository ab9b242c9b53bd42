/// A prediction of the bytes between two values: white space, a key, and the opening tag of the next value.
///
/// Most documents have many dictionaries with the same keys, and arrays of similar elements. The bytes after a value
/// are compared with the bytes after an earlier value of the same depth and position in its container. If the bytes
/// after two values are equal, the bytes after the second value need not be parsed.
struct LinePrediction {
  /// The offset of the earlier bytes that are expected to occur again.
  var start = 0
  /// The number of predicted bytes; 0 if there is no prediction.
  var length: UInt8 = 0
  /// The offset of the key's text within the predicted bytes.
  var key: UInt8 = 0
  var keyLength: UInt8 = 0
  /// The offset of the value's `<` within the predicted bytes.
  var value: UInt8 = 0
  var element = XMLElement.plist
}

/// A Boolean constant, known at compile time, that indicates whether predictions are used.
private protocol LinePredictionUse {
  static var usesPredictions: Bool { get }
}

extension XMLReader {
  /// Reads tokens in their usual spelling, and returns before the first token with another spelling.
  ///
  /// Most documents have only tokens in their usual spelling. The method ``next(in:)`` reads tokens of other spellings,
  /// reports all errors, and supports the whole grammar. After the fast path, the reader's state is the same as if
  /// ``next(in:)`` had read the same tokens.
  @inline(__always)
  mutating func run<Consumer: PlistTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {
    guard isBetweenValues else { return }
    if predictions.isEmpty, bytes.byteCount > Self.smallDocument {
      predictions = Array(repeating: LinePrediction(), count: Self.predictionCount)
      if Consumer.wantsInlineText { inlineKeys = Array(repeating: PlistToken(.key), count: Self.predictionCount) }
    }
    // A small document has no predictions, and uses a variant of the loop that does not check for a prediction. If the
    // consumer reads scalars, the check takes only a small part of the time, so the variant with the check is always
    // used.
    if predictions.isEmpty, !Consumer.readsScalars {
      run(in: bytes, into: &consumer, WithoutPredictions.self)
    } else {
      run(in: bytes, into: &consumer, WithPredictions.self)
    }
  }

  private enum WithPredictions: LinePredictionUse { static var usesPredictions: Bool { true } }
  private enum WithoutPredictions: LinePredictionUse { static var usesPredictions: Bool { false } }

  @inline(__always)
  private mutating func run<Consumer: PlistTokenConsumer & ~Copyable, Use: LinePredictionUse>(
    in bytes: RawSpan, into consumer: inout Consumer, _ use: Use.Type
  ) {
    // For each offset below `limit`, the tag at the offset and all words that the loop loads from the tag are within
    // the span.
    let limit = bytes.byteCount - 24
    while offset < limit, consumer.acceptsTokens {
      let isDictionary = top.kind == .dictionary
      let slot = Use.usesPredictions ? predictionSlot : 0
      let element: XMLElement
      let valueStart: Int
      var content: Int
      var key = PlistToken(.key)
      if Use.usesPredictions, slot < predictions.count, bytes.holds(predictions[slot], at: offset, before: limit) {
        let prediction = predictions[slot]
        if isDictionary {
          let start = offset &+ Int(prediction.key)
          key = PlistToken(.key, .ascii, at: start, count: Int(prediction.keyLength))
          if Consumer.wantsInlineText, slot < inlineKeys.count, inlineKeys[slot].form == .inline {
            consumer.take(inlineKeys[slot], at: start &- 5, in: bytes)
          } else {
            consumer.take(key, at: start &- 5, in: bytes)
          }
        }
        element = prediction.element
        valueStart = offset &+ Int(prediction.value)
        content = offset &+ Int(prediction.length)
      } else {
        let start = skipSpace(bytes, from: offset)
        guard start < limit, bytes.byte(at: start) == 0x3C else { return }
        if bytes.byte(at: start + 1) == 0x2F {
          guard endPlainContainer(bytes, at: start, into: &consumer) else { return }
          continue
        }
        if isDictionary {
          guard bytes.word(at: start) & XMLScanner.Spelling.mask5 == XMLScanner.Spelling.key,
            let (form, end) = Self.plainKey(bytes, from: start + 5, limit: limit)
          else { return }
          tokenStart = start
          key = PlistToken(.key, form, start + 5..<end)
          consumer.take(key, at: start, in: bytes)
          valueStart = skipSpace(bytes, from: end + 6)
          guard valueStart < limit, let tag = XMLScanner.plainTag(bytes, at: valueStart) else {
            return expectValue(of: key)
          }
          (element, content) = (tag.element, tag.end)
          if Use.usesPredictions, slot < predictions.count, form == .ascii, tag.end - offset <= 255 {
            predictions[slot] = LinePrediction(
              start: offset, length: UInt8(tag.end - offset), key: UInt8(start + 5 - offset),
              keyLength: UInt8(end - start - 5), value: UInt8(valueStart - offset), element: element)
            if slot < inlineKeys.count { inlineKeys[slot] = key.holdingInlineText(of: bytes) }
          }
        } else {
          guard let tag = XMLScanner.plainTag(bytes, at: start) else { return }
          (element, content) = (tag.element, tag.end)
          valueStart = start
          if Use.usesPredictions, slot < predictions.count, tag.end - offset <= 255 {
            predictions[slot] = LinePrediction(
              start: offset, length: UInt8(tag.end - offset), value: UInt8(valueStart - offset), element: element)
          }
        }
      }
      var token = PlistToken(.null)
      if !Use.usesPredictions, element == .string {
        guard values < valueLimit, Self.plainString(bytes, from: &content, limit: limit, &token) else {
          if isDictionary { expectValue(of: key) }
          return
        }
        values += 1
        tokenStart = valueStart
        offset = content
        completeValue()
        consumer.take(token, at: valueStart, in: bytes)
        continue
      }
      guard values < valueLimit,
        element == .string
          ? Self.plainString(bytes, from: &content, limit: limit, &token)
          : Self.plainValue(
            element, bytes, from: &content, limit: limit, canNest: depth < depthLimit, reading: Consumer.readsScalars,
            &token)
      else {
        if isDictionary { expectValue(of: key) }
        return
      }
      values += 1
      tokenStart = valueStart
      offset = content
      if element == .array || element == .dict {
        depth += 1
        if isDictionary {
          top.key = key
          top.hasKey = true
        }
        parents.append(top)
        top = XMLContainer(element == .array ? .array : .dictionary, opened: valueStart)
      } else {
        completeValue()
      }
      consumer.take(token, at: valueStart, in: bytes)
    }
  }

  /// Moves past a key that the consumer has received; ``next(in:)`` then reads the value of the key.
  @inline(never)
  private mutating func expectValue(of key: PlistToken) {
    tokenStart = key.range.lowerBound - 5
    offset = key.range.upperBound + 6
    top.key = key
    top.hasKey = true
  }

  /// The maximum size in bytes of a document that is read without predictions.
  ///
  /// In a small document, allocating memory for predictions would take longer than parsing without predictions.
  private static var smallDocument: Int { 4096 }
  /// The number of predictions: for each of eight depths, 32 predictions for dictionaries and one for arrays.
  private static var predictionCount: Int { 8 * 33 }

  @inline(__always)
  private var predictionSlot: Int {
    (depth & 7) &* 33 &+ (top.kind == .dictionary ? top.count & 31 : 32)
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
    // After the outermost container, the fast path ends, because it does not read the closing tag `</plist>`.
    return top.kind == .array || top.kind == .dictionary
  }

  @inline(__always)
  private static func isStringEnd(_ bytes: RawSpan, at offset: Int) -> Bool {
    bytes.word(at: offset) == XMLElement.string.closing.word && bytes.byte(at: offset &+ 8) == 0x3E
  }

  @inline(__always)
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
  private static func plainString(
    _ bytes: RawSpan, from offset: inout Int, limit: Int, _ token: inout PlistToken
  ) -> Bool {
    let start = offset
    guard var end = bytes.plainTextEnd(from: start, limit: limit) else { return false }
    var form = PlistToken.Form.ascii
    if !isStringEnd(bytes, at: end) {
      guard let text = try? XMLText.scan(bytes, from: start, opened: start), text.1 < limit else { return false }
      (form, end) = text
      guard isStringEnd(bytes, at: end) else { return false }
    }
    offset = end &+ 9
    token = PlistToken(.string, form, at: start, count: end &- start)
    return true
  }

  @inline(__always)
  private static func plainValue(
    _ element: XMLElement, _ bytes: RawSpan, from offset: inout Int, limit: Int, canNest: Bool,
    reading readsScalars: Bool, _ token: inout PlistToken
  ) -> Bool {
    let start = offset
    switch element {
    case .integer:
      guard let value = try? XMLNumber.integer(bytes, from: start) else { return false }
      (token, offset) = value
    case .real:
      if let end = XMLNumber.plainRealEnd(bytes, from: start, limit: limit) {
        guard let value = readsScalars ? DecimalNumber(bytes, in: start..<end)?.value : 0 else { return false }
        (token, offset) = (PlistToken(.real, bits: value.bitPattern), end)
      } else {
        guard let value = try? XMLNumber.real(bytes, from: start) else { return false }
        (token, offset) = value
      }
    case .date:
      guard start < limit, let date = XMLDate.plain(bytes, from: start) else { return false }
      token = PlistToken(.date, bits: readsScalars ? Double(date.secondsSinceReference).bitPattern : 0)
      offset = start + XMLDate.plainLength
    case .data:
      guard let value = try? XMLData.read(bytes, from: start) else { return false }
      (token, offset) = value
    case .true:
      token = PlistToken(.booleanTrue)
      return true
    case .false:
      token = PlistToken(.booleanFalse)
      return true
    case .array:
      token = PlistToken(.beginArray)
      return canNest
    case .dict:
      token = PlistToken(.beginDictionary)
      return canNest && beginsPlainDictionary(bytes, from: start, limit: limit)
    case .plist, .key, .string: return false
    }
    guard offset < limit, let end = XMLScanner.plainCloseEnd(element, bytes, at: offset) else { return false }
    offset = end
    return true
  }
}

extension RawSpan {
  @inline(__always)
  fileprivate func holds(_ prediction: LinePrediction, at offset: Int, before limit: Int) -> Bool {
    let length = Int(prediction.length)
    guard length >= 8, offset &+ length < limit else { return false }
    return hasSameBytes(at: prediction.start, as: self, in: offset..<offset &+ length)
  }
}
