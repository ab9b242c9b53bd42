/// Reads OpenStep property lists, `.strings` files and GNUstep's typed values.
///
/// It checks the whole grammar without recursion, using one stack entry per open container. A document that begins with
/// a string and continues after it is a dictionary without braces, as in a `.strings` file. A document that has only
/// white space and comments is an empty dictionary.
struct OpenStepReader: PlistTextReader {
  static var format: PlistFormat { .openStep }

  var containers: TextContainers
  var expected = TextExpectation.value
  var offset: Int
  var tokenStart: Int
  /// Whether the text is a whole document, which can be a dictionary without braces.
  private let isRoot: Bool
  private(set) var isStringsTable = false

  init(limits: PlistLimits, from offset: Int = 0, isRoot: Bool = true) {
    containers = TextContainers(limits: limits)
    self.offset = offset
    tokenStart = offset
    self.isRoot = isRoot
  }

  var isInStringsTable: Bool { isStringsTable && containers.open.count == 1 }

  mutating func next(in bytes: RawSpan) throws(TextFailure) -> PlistToken {
    while true {
      let start = OpenStepScanner.skipSpace(bytes, from: offset)
      guard start < bytes.byteCount else { return try endOfDocument(at: start) }
      let byte = bytes.byte(at: start)
      switch expected {
      case .end: throw TextFailure(.trailingContent, at: start)
      case .value: return try value(bytes, at: start)
      case .firstElement:
        if byte == 0x29 { return end(at: start) }
        return try value(bytes, at: start)
      case .elementEnd:
        if byte == 0x29 { return end(at: start) }
        guard byte == 0x2C else { throw TextFailure(.unexpected, at: start) }
        // OpenStep allows a comma after the last element.
        expected = .firstElement
        offset = start + 1
      case .firstKey, .key:
        if byte == 0x7D, !isInStringsTable { return end(at: start) }
        return try key(bytes, at: start)
      case .keyEnd:
        if byte == 0x3B { return try keyAsValue(endingAt: start) }
        guard byte == 0x3D else { throw TextFailure(.unexpected, at: start) }
        expected = .value
        offset = start + 1
      case .pairEnd:
        guard byte == 0x3B else { throw TextFailure(.unexpected, at: start) }
        expected = .firstKey
        offset = start + 1
      }
    }
  }

  private mutating func endOfDocument(at end: Int) throws(TextFailure) -> PlistToken {
    if expected == .end {
      offset = end
      return PlistToken(.end)
    }
    if isInStringsTable, expected == .firstKey { return self.end(at: end, length: 0) }
    if isRoot, expected == .value, containers.open.isEmpty { return try beginStringsTable(at: end) }
    throw TextFailure(.endOfInput, at: end, detail: containers.open.last?.opened ?? end)
  }

  private mutating func key(_ bytes: RawSpan, at start: Int) throws(TextFailure) -> PlistToken {
    guard let (token, end) = try OpenStepScanner.string(.key, bytes, at: start) else {
      throw TextFailure(.unexpected, at: start)
    }
    tokenStart = start
    offset = end
    containers.take(token)
    expected = .keyEnd
    return token
  }

  /// Returns the value of a pair such as `key;`, which is the key itself.
  private mutating func keyAsValue(endingAt semicolon: Int) throws(TextFailure) -> PlistToken {
    try containers.countValue(at: tokenStart)
    let key = containers.open.last?.key ?? PlistToken(.key)
    containers.completeValue()
    expected = .firstKey
    offset = semicolon + 1
    return PlistToken(.string, key.form, key.range)
  }

  private mutating func value(_ bytes: RawSpan, at start: Int) throws(TextFailure) -> PlistToken {
    let token: PlistToken
    var end = start + 1
    switch bytes.byte(at: start) {
    case 0x7B: return try begin(isDictionary: true, at: start)
    case 0x28: return try begin(isDictionary: false, at: start)
    case 0x3C: (token, end) = try OpenStepValue.read(bytes, at: start)
    default:
      guard let (string, stringEnd) = try OpenStepScanner.string(.string, bytes, at: start) else {
        throw TextFailure(.unexpected, at: start)
      }
      if isRoot, containers.open.isEmpty, OpenStepScanner.skipSpace(bytes, from: stringEnd) < bytes.byteCount {
        return try beginStringsTable(at: start)
      }
      (token, end) = (string, stringEnd)
    }
    try containers.countValue(at: start)
    tokenStart = start
    offset = end
    containers.completeValue()
    expected = containers.expectedAfterValue
    return token
  }

  mutating func beginStringsTable(at start: Int) throws(TextFailure) -> PlistToken {
    let token = try begin(isDictionary: true, at: start)
    offset = start
    isStringsTable = true
    return token
  }

  var expectation: String {
    switch expected {
    case .value: return "a value"
    case .firstElement: return "a value or ')'"
    case .elementEnd: return "',' or ')'"
    case .firstKey, .key: return isInStringsTable ? "a key" : "a key or '}'"
    case .keyEnd: return "'=' or ';'"
    case .pairEnd: return "';'"
    case .end: return "the end of the document"
    }
  }
}
