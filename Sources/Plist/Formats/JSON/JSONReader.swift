/// Reads JSON as a property list (RFC 8259).
///
/// It checks the whole grammar without recursion, using one stack entry per open container. Numbers with a decimal
/// point or an exponent are reals; all others are integers, which must fit in 64 bits. An index keeps a number that
/// doesn't fit, so the error is reported only when that number is read.
struct JSONReader: PlistTextReader {
  static var format: PlistFormat { .json }

  var containers: TextContainers
  var expected = TextExpectation.value
  var offset: Int
  var tokenStart: Int

  init(limits: PlistLimits, from offset: Int = 0) {
    containers = TextContainers(limits: limits)
    self.offset = offset
    tokenStart = offset
  }

  var isInStringsTable: Bool { false }

  mutating func next(in bytes: RawSpan) throws(TextFailure) -> PlistToken {
    while true {
      let start = JSONScanner.skipSpace(bytes, from: offset)
      guard start < bytes.byteCount else {
        if expected == .end { return PlistToken(.end) }
        throw TextFailure(.endOfInput, at: start, detail: containers.open.last?.opened ?? start)
      }
      let byte = bytes.byte(at: start)
      switch expected {
      case .end: throw TextFailure(.trailingContent, at: start)
      case .value: return try value(bytes, at: start)
      case .firstElement:
        if byte == 0x5D { return end(at: start) }
        return try value(bytes, at: start)
      case .elementEnd:
        if byte == 0x5D { return end(at: start) }
        try skip(0x2C, bytes, at: start, then: .value)
      case .firstKey:
        if byte == 0x7D { return end(at: start) }
        return try key(bytes, at: start)
      case .key: return try key(bytes, at: start)
      case .keyEnd: try skip(0x3A, bytes, at: start, then: .value)
      case .pairEnd:
        if byte == 0x7D { return end(at: start) }
        try skip(0x2C, bytes, at: start, then: .key)
      }
    }
  }

  mutating func passMalformed(_ failure: TextFailure, in bytes: RawSpan) -> PlistToken? {
    guard failure.reason == .integerOverflow || failure.reason == .realOverflow,
      (try? containers.countValue(at: failure.offset)) != nil
    else { return nil }
    tokenStart = failure.offset
    offset = failure.detail
    containers.completeValue()
    expected = containers.expectedAfterValue
    return PlistToken(failure.reason == .integerOverflow ? .integer : .real)
  }

  private mutating func skip(
    _ separator: UInt8, _ bytes: RawSpan, at start: Int, then next: TextExpectation
  ) throws(TextFailure) {
    guard bytes.byte(at: start) == separator else { throw TextFailure(.unexpected, at: start) }
    offset = start + 1
    expected = next
  }

  private mutating func key(_ bytes: RawSpan, at start: Int) throws(TextFailure) -> PlistToken {
    guard bytes.byte(at: start) == 0x22 else { throw TextFailure(.unexpected, at: start) }
    let (token, end) = try JSONEscape.string(.key, bytes, at: start)
    tokenStart = start
    offset = end
    containers.take(token)
    expected = .keyEnd
    return token
  }

  private mutating func value(_ bytes: RawSpan, at start: Int) throws(TextFailure) -> PlistToken {
    let token: PlistToken
    let end: Int
    switch bytes.byte(at: start) {
    case 0x7B: return try begin(isDictionary: true, at: start)
    case 0x5B: return try begin(isDictionary: false, at: start)
    case 0x22: (token, end) = try JSONEscape.string(.string, bytes, at: start)
    case 0x2D, 0x30...0x39: (token, end) = try JSONNumber.read(bytes, at: start)
    case 0x41...0x5A, 0x61...0x7A: (token, end) = try word(bytes, at: start)
    default: throw TextFailure(.unexpected, at: start)
    }
    try containers.countValue(at: start)
    tokenStart = start
    offset = end
    containers.completeValue()
    expected = containers.expectedAfterValue
    return token
  }

  private func word(_ bytes: RawSpan, at start: Int) throws(TextFailure) -> (PlistToken, Int) {
    var end = start
    while end < bytes.byteCount, bytes.byte(at: end).isWordCharacter { end += 1 }
    switch end - start {
    case 4 where bytes.hasBytes("true", at: start): return (PlistToken(.booleanTrue), end)
    case 4 where bytes.hasBytes("null", at: start): return (PlistToken(.null), end)
    case 5 where bytes.hasBytes("false", at: start): return (PlistToken(.booleanFalse), end)
    default: break
    }
    // If the input ends here, the word can still become `true`, `false` or `null`.
    let words: [StaticString] = ["true", "false", "null"]
    if words.contains(where: { bytes.isPrefix(of: $0, from: start) }) {
      throw TextFailure(.endOfInput, at: bytes.byteCount, detail: start)
    }
    throw TextFailure(.unknownWord, at: start, detail: end)
  }

  var expectation: String {
    switch expected {
    case .value: return "a value"
    case .firstElement: return "a value or ']'"
    case .elementEnd: return "',' or ']'"
    case .firstKey: return "a key in quotation marks or '}'"
    case .key: return "a key in quotation marks"
    case .keyEnd: return "':'"
    case .pairEnd: return "',' or '}'"
    case .end: return "the end of the document"
    }
  }
}
