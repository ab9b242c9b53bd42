/// Who takes the tokens of a run.
protocol XMLTokenConsumer: ~Copyable {
  /// Whether numbers and dates are looked at; those that are not are only checked, and come without their value.
  static var readsScalars: Bool { get }

  /// Whether there is room for another key and its value.
  var hasRoom: Bool { get }

  /// Takes a token whose element begins at `start`; ends of containers have their count as ``PlistToken/first``.
  mutating func take(_ token: PlistToken, at start: Int)
}

/// What stands between two values, where it has been read before: white space, the key, the next value's opening tag.
///
/// Documents are full of dictionaries with the same keys and arrays of the same elements. As long as the bytes behind
/// a value are those that followed the value in the same place the last time, comparing them is all it takes.
struct XMLGap {
  /// Where the bytes were read.
  var start = 0
  /// How many they are; 0 where there is nothing known.
  var length: UInt8 = 0
  /// Where in them the key's text is, and its length.
  var key: UInt8 = 0
  var keyLength: UInt8 = 0
  /// Where in them the value's `<` is.
  var value: UInt8 = 0
  var element = XMLElement.plist
}

extension XMLReader {
  /// Reads what is plainly spelled, as most documents are throughout, and returns before anything else.
  ///
  /// It never fails: whatever is not plain, and whatever is wrong, is left to ``next(in:)``, which reads the same
  /// grammar one token at a time and knows all of it. The state is as if each token had come from there.
  @inline(__always)
  mutating func run<Consumer: XMLTokenConsumer & ~Copyable>(in bytes: RawSpan, into consumer: inout Consumer) {
    guard isBetweenValues else { return }
    // No tag, and no word that is looked at, reaches further than this behind an offset that is checked.
    let limit = bytes.byteCount - 64
    if gaps.isEmpty, bytes.byteCount > Self.smallDocument { gaps = Array(repeating: XMLGap(), count: Self.gapCount) }
    while offset < limit, consumer.hasRoom {
      let isDictionary = top.kind == .dictionary
      let slot = gapSlot
      let element: XMLElement
      let valueStart: Int
      var content: Int
      if slot < gaps.count, bytes.holds(gaps[slot], at: offset) {
        let gap = gaps[slot]
        if isDictionary {
          let key = offset + Int(gap.key)
          top.key = PlistToken(.key, .ascii, key..<key + Int(gap.keyLength))
          consumer.take(top.key, at: key - 5)
        }
        element = gap.element
        valueStart = offset + Int(gap.value)
        content = offset + Int(gap.length)
      } else {
        let start = XMLScanner.skipSpace(bytes, from: offset)
        guard start < limit, bytes.byte(at: start) == 0x3C else { return }
        if bytes.byte(at: start + 1) == 0x2F {
          guard endPlainContainer(bytes, at: start, into: &consumer) else { return }
          continue
        }
        if isDictionary {
          guard bytes.word(at: start) & XMLScanner.Spelling.mask5 == XMLScanner.Spelling.key,
            let text = try? XMLText.scan(bytes, from: start + 5, opened: start), text.1 < limit,
            bytes.word(at: text.1) << 16 == XMLElement.key.closing.word << 16
          else { return }
          tokenStart = start
          top.key = PlistToken(.key, text.0, start + 5..<text.1)
          top.hasKey = true
          consumer.take(top.key, at: start)
          let gapStart = offset
          offset = text.1 + 6
          valueStart = XMLScanner.skipSpace(bytes, from: offset)
          guard valueStart < limit, let tag = XMLScanner.plainTag(bytes, at: valueStart) else { return }
          (element, content) = (tag.element, tag.end)
          if slot < gaps.count, text.0 == .ascii, tag.end - gapStart <= 255 {
            gaps[slot] = XMLGap(
              start: gapStart, length: UInt8(tag.end - gapStart), key: UInt8(start + 5 - gapStart),
              keyLength: UInt8(text.1 - start - 5), value: UInt8(valueStart - gapStart), element: element)
          }
        } else {
          guard let tag = XMLScanner.plainTag(bytes, at: start) else { return }
          (element, content) = (tag.element, tag.end)
          valueStart = start
          if slot < gaps.count, tag.end - offset <= 255 {
            gaps[slot] = XMLGap(
              start: offset, length: UInt8(tag.end - offset), value: UInt8(valueStart - offset), element: element)
          }
        }
      }
      guard values < valueLimit,
        let token = plainValue(element, bytes, from: &content, limit: limit, reading: Consumer.readsScalars)
      else {
        // The key has been taken, the value has not.
        if isDictionary {
          tokenStart = Int(truncatingIfNeeded: top.key.first) - 5
          offset = top.key.range.upperBound + 6
          top.hasKey = true
        }
        return
      }
      values += 1
      tokenStart = valueStart
      offset = content
      if element == .array || element == .dict {
        depth += 1
        parents.append(top)
        top = XMLContainer(element == .array ? .array : .dictionary, opened: valueStart)
      } else {
        completeValue()
      }
      consumer.take(token, at: valueStart)
    }
  }

  /// Documents of at most this many bytes are read without knowing gaps: making room for them would not pay.
  private static var smallDocument: Int { 4096 }
  /// How many gaps are known: 32 a dictionary in eight depths, and one an array.
  private static var gapCount: Int { 8 * 33 }

  /// Where the gap is kept that was last seen before the next value.
  @inline(__always)
  private var gapSlot: Int {
    top.kind == .dictionary ? (depth & 7) * 33 + (top.count & 31) : (depth & 7) * 33 + 32
  }

  /// Reads the closing tag at `start` where it is plain and that of the innermost container.
  @inline(__always)
  private mutating func endPlainContainer<Consumer: XMLTokenConsumer & ~Copyable>(
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
    consumer.take(PlistToken(isArray ? .endArray : .endDictionary, bits: UInt64(count)), at: start)
    // What is outside of all containers is not plain.
    return top.kind == .array || top.kind == .dictionary
  }

  /// Reads the rest of a value whose opening tag has been read, and moves behind it; nil where it is not plain.
  @inline(__always)
  private func plainValue(
    _ element: XMLElement, _ bytes: RawSpan, from offset: inout Int, limit: Int, reading readsScalars: Bool
  ) -> PlistToken? {
    let start = offset
    let token: PlistToken
    switch element {
    case .string:
      var end = start
      var stops = bytes.textStops(at: end)
      while stops == 0 {
        end += 8
        guard end < limit else { return nil }
        stops = bytes.textStops(at: end)
      }
      end += stops.trailingZeroBitCount / 8
      token = PlistToken(.string, .ascii, start..<end)
      if bytes.word(at: end) == XMLElement.string.closing.word, bytes.byte(at: end + 8) == 0x3E {
        offset = end + 9
        return token
      }
      guard let (form, textEnd) = try? XMLText.scan(bytes, from: start, opened: start), textEnd < limit,
        bytes.word(at: textEnd) == XMLElement.string.closing.word, bytes.byte(at: textEnd + 8) == 0x3E
      else { return nil }
      offset = textEnd + 9
      return PlistToken(.string, form, start..<textEnd)
    case .integer: guard let value = try? XMLNumber.integer(bytes, from: start) else { return nil }
      (token, offset) = value
    case .real:
      if !readsScalars, let end = XMLNumber.plainRealEnd(bytes, from: start, limit: limit) {
        (token, offset) = (PlistToken(.real), end)
      } else {
        guard let value = try? XMLNumber.real(bytes, from: start) else { return nil }
        (token, offset) = value
      }
    case .date: guard let value = try? XMLDate.read(bytes, from: start) else { return nil }
      (token, offset) = value
    case .data: guard let value = try? XMLData.read(bytes, from: start) else { return nil }
      (token, offset) = value
    case .true: return PlistToken(.booleanTrue)
    case .false: return PlistToken(.booleanFalse)
    case .array: return depth < depthLimit ? PlistToken(.beginArray) : nil
    case .dict:
      // A key that begins with a `C`, or is escaped, may be that of a UID.
      guard depth < depthLimit else { return nil }
      let first = XMLScanner.skipSpace(bytes, from: start)
      guard first < limit, bytes.word(at: first) & XMLScanner.Spelling.mask5 == XMLScanner.Spelling.key else {
        return nil
      }
      let letter = bytes.byte(at: first + 5)
      return letter == 0x43 || letter == 0x26 || letter == 0x3C ? nil : PlistToken(.beginDictionary)
    case .plist, .key: return nil
    }
    guard offset < limit, let end = XMLScanner.plainCloseEnd(element, bytes, at: offset) else { return nil }
    offset = end
    return token
  }
}

extension RawSpan {
  /// Whether the bytes at `offset` are those of `gap`.
  @inline(__always)
  fileprivate func holds(_ gap: XMLGap, at offset: Int) -> Bool {
    let length = Int(gap.length)
    guard length >= 8, length <= byteCount - offset else { return false }
    var position = 0
    while position < length - 8 {
      if word(at: gap.start + position) != word(at: offset + position) { return false }
      position += 8
    }
    return word(at: gap.start + length - 8) == word(at: offset + length - 8)
  }
}
