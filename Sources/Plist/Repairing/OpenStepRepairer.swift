#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads OpenStep text with mistakes that people and programs make: a missing or extra semicolon, an unknown escape, or
/// typographic quotation marks.
///
/// ``OpenStepReader`` reads all tokens up to an error. The repairer then reads the malformed part, and moves the reader
/// past it. Every repair skips text or completes a value, and rereads at most one line and one word, so the time is
/// linear in the size of the document and the length of its lines.
struct OpenStepRepairer {
  private var reader: OpenStepReader
  private let source: PlistSource
  private let refusesDuplicates: Bool
  private var repairs: RepairList
  /// The open containers, outermost first.
  private var containers: [Container] = []
  private var root: PropertyList?
  /// The range of the last key or string, including its quotation marks.
  private var last = 0..<0

  private struct Container {
    let isDictionary: Bool
    var keys: [String] = []
    var values: [PropertyList] = []
  }

  private init(_ source: PlistSource, options: PlistReadOptions) {
    self.source = source
    reader = OpenStepReader(limits: options.limits)
    repairs = RepairList(source)
    refusesDuplicates = options.duplicateKeys == .refuse
  }

  /// Returns the value and the repairs of malformed OpenStep text, or nil if it is beyond repair.
  static func read(_ source: PlistSource, options: PlistReadOptions) -> RepairedPropertyList? {
    var repairer = OpenStepRepairer(source, options: options)
    guard let value = try? repairer.document() else { return nil }
    return RepairedPropertyList(value, repairs: repairer.repairs.located(.openStep), count: repairer.repairs.count)
  }

  private mutating func document() throws(TextFailure) -> PropertyList {
    let source = source
    let bytes = source.data.bytes
    while true {
      let token: PlistToken
      do throws(TextFailure) { token = try reader.next(in: bytes) } catch {
        if let root, error.reason == .trailingContent {
          note(error, RepairList.endOfDocument)
          return root
        }
        try repair(error, in: bytes)
        continue
      }
      if token.kind == .end {
        guard let root else { throw TextFailure(.endOfInput, at: reader.offset, detail: reader.offset) }
        return root
      }
      if token.kind == .key || token.kind == .string { last = reader.tokenStart..<reader.offset }
      try take(token, in: bytes)
    }
  }

  private mutating func note(_ failure: TextFailure, _ replacement: String) {
    let (reader, source) = (reader, source)
    repairs.add(at: failure.offset, replacement: replacement) { reader.error(for: failure, in: source) }
  }
}

/// Builds the value from tokens.
extension OpenStepRepairer {
  private mutating func take(_ token: PlistToken, in bytes: RawSpan) throws(TextFailure) {
    switch token.kind {
    case .key: containers[containers.count - 1].keys.append(bytes.decodedText(token))
    case .beginArray, .beginDictionary: containers.append(Container(isDictionary: token.kind == .beginDictionary))
    case .endArray, .endDictionary: try closeContainer()
    default: complete(PropertyList(scalar: token, in: source, bytes))
    }
  }

  private mutating func closeContainer() throws(TextFailure) {
    let container = containers.removeLast()
    guard container.isDictionary else { return complete(.array(container.values)) }
    let dictionary = PropertyListDictionary(
      keys: container.keys, values: container.values, duplicates: PlistFormat.openStep.duplicateKeys)
    if refusesDuplicates, dictionary.count < container.keys.count {
      throw TextFailure(.unexpected, at: reader.offset)
    }
    complete(.dictionary(dictionary))
  }

  private mutating func complete(_ value: PropertyList) {
    if containers.isEmpty { root = value } else { containers[containers.count - 1].values.append(value) }
  }
}

/// Repairs one fault.
extension OpenStepRepairer {
  private mutating func repair(_ failure: TextFailure, in bytes: RawSpan) throws(TextFailure) {
    let start = OpenStepScanner.skipSpace(bytes, from: reader.offset)
    switch failure.reason {
    case .invalidEscape, .unpairedSurrogate: try readString(at: start, in: bytes)
    case .unexpected where reader.expected == .pairEnd || reader.expected == .elementEnd:
      try repairEnd(failure, at: start, in: bytes)
    case .unexpected: try repairBeginning(failure, at: start, in: bytes)
    case .endOfInput where start >= bytes.byteCount: try closeAll(failure, at: start, in: bytes)
    default: throw failure
    }
  }

  /// Repairs text before a key, an equals sign or a value.
  private mutating func repairBeginning(_ failure: TextFailure, at start: Int, in bytes: RawSpan) throws(TextFailure) {
    let byte = bytes.byte(at: start)
    switch (reader.expected, byte) {
    case (.firstKey, 0x3B), (.firstKey, 0x2C), (.firstKey, 0x3D), (.key, 0x3B), (.key, 0x2C), (.key, 0x3D),
      (.firstElement, 0x2C), (.firstElement, 0x3B):
      note(failure, "nothing")
      reader.offset = start + 1
    case (.firstKey, 0x7D) where reader.isInStringsTable:
      // Skip a surplus brace only at the end of the document.
      guard OpenStepScanner.skipSpace(bytes, from: start + 1) == bytes.byteCount else { throw failure }
      note(failure, "nothing")
      reader.offset = start + 1
    case (.keyEnd, 0x3A):
      note(failure, "'='")
      (reader.expected, reader.offset) = (.value, start + 1)
    case (.keyEnd, 0x22), (.keyEnd, 0x27):
      note(failure, "'='")
      reader.expected = .value
    case (.keyEnd, _) where start == last.upperBound: try extendWord(failure, in: bytes)
    case (.value, 0x3B) where !containers.isEmpty, (.value, 0x7D) where !containers.isEmpty:
      try completeEmptyString(failure, at: start)
    case (.firstKey, _), (.key, _), (.value, _), (.firstElement, _):
      // A `<` begins neither a key nor a word, and more likely belongs to a merge conflict marker.
      guard byte != 0x3C, byte != 0x7D, byte != 0x29, byte != 0x3B, byte != 0x3D else { throw failure }
      note(failure, "a string")
      try readString(at: start, in: bytes)
    default: throw failure
    }
  }

  /// Repairs text after a value.
  private mutating func repairEnd(_ failure: TextFailure, at start: Int, in bytes: RawSpan) throws(TextFailure) {
    let isPair = reader.expected == .pairEnd
    let byte = bytes.byte(at: start)
    if start == last.upperBound, last.lowerBound < start, byte != 0x7D, byte != 0x29, byte != 0x2C, byte != 0x3B {
      return try extendText(failure, in: bytes)
    }
    switch byte {
    case 0x7D where isPair, 0x29 where !isPair: break
    case 0x2C where isPair, 0x3B where !isPair: reader.offset = start + 1
    case 0x7D, 0x29, 0x3C, 0x3D: throw failure
    default:
      // Several words on a line are more likely a string without quotation marks.
      guard hasLineEnd(in: reader.offset..<start, bytes) else { return try extendText(failure, in: bytes) }
    }
    note(failure, isPair ? "';'" : "','")
    reader.expected = isPair ? .firstKey : .firstElement
  }

  private func hasLineEnd(in range: Range<Int>, _ bytes: RawSpan) -> Bool {
    range.contains { bytes.byte(at: $0) == 0x0A || bytes.byte(at: $0) == 0x0D }
  }

  /// Closes the containers that are still open at the end of the document.
  private mutating func closeAll(_ failure: TextFailure, at end: Int, in bytes: RawSpan) throws(TextFailure) {
    guard !containers.isEmpty else { throw failure }
    note(failure, "the end of \(containers.count == 1 ? "the container" : "\(containers.count) containers")")
    if let top = containers.last, top.isDictionary, top.keys.count > top.values.count { complete(.string("")) }
    while !containers.isEmpty {
      try closeContainer()
      _ = reader.containers.end()
    }
    (reader.expected, reader.offset) = (.end, end)
  }

  /// Adds an empty string as the value of a key that has none.
  private mutating func completeEmptyString(_ failure: TextFailure, at start: Int) throws(TextFailure) {
    note(failure, "an empty string")
    try reader.containers.countValue(at: start)
    reader.containers.completeValue()
    complete(.string(""))
    (reader.expected, reader.offset) = (.pairEnd, start)
    last = start..<start
  }

  /// Reads a key or string that has malformed escapes, typographic quotation marks, or no quotation marks.
  private mutating func readString(at start: Int, in bytes: RawSpan) throws(TextFailure) {
    let text: String
    let end: Int
    let quote = bytes.byte(at: start)
    if quote == 0x22 || quote == 0x27 {
      (text, end) = try quoted(bytes, at: start, quote: quote)
    } else if let closing = closingMark(bytes, at: start) {
      (text, end) = (String(utf8: bytes, in: start + 3..<closing), closing + 3)
    } else {
      end = wordEnd(bytes, from: start)
      guard end > start else { throw TextFailure(.unexpected, at: start) }
      text = String(utf8: bytes, in: start..<end)
    }
    try add(text, in: start..<end, bytes)
  }

  /// Adds a string as the key or the value, whichever is expected.
  private mutating func add(_ text: String, in range: Range<Int>, _ bytes: RawSpan) throws(TextFailure) {
    let isKey = reader.expected == .firstKey || reader.expected == .key
    if !isKey, containers.isEmpty, OpenStepScanner.skipSpace(bytes, from: range.upperBound) < bytes.byteCount {
      try take(reader.beginStringsTable(at: range.lowerBound), in: bytes)
      return try add(text, in: range, bytes)
    }
    last = range
    reader.tokenStart = range.lowerBound
    reader.offset = range.upperBound
    if isKey {
      // The token is used only in messages, which show the text as it is spelled in the document.
      reader.containers.take(PlistToken(.key, .utf8, range))
      containers[containers.count - 1].keys.append(text)
      reader.expected = .keyEnd
    } else {
      try reader.containers.countValue(at: range.lowerBound)
      reader.containers.completeValue()
      reader.expected = reader.containers.expectedAfterValue
      complete(.string(text))
    }
  }

  /// Reads a string in quotation marks, noting malformed escapes.
  private mutating func quoted(
    _ bytes: RawSpan, at start: Int, quote: UInt8
  ) throws(TextFailure) -> (String, end: Int) {
    var faults: [TextFailure] = []
    var faultCount = 0
    let room = repairs.room
    let (token, end) = try TextEscapes.scan(
      .string, bytes, from: start + 1, quote: quote, refusesControls: false, escaped: .escapedOpenStep
    ) { (bytes, offset) throws(TextFailure) in
      let (scalar, end, failure) = try OpenStepEscape.readLeniently(bytes, at: offset)
      if let failure {
        faultCount += 1
        if faults.count < room { faults.append(failure) }
      }
      return (scalar, end)
    }
    for fault in faults { note(fault, fault.reason == .invalidEscape ? "the letter U" : "U+FFFD") }
    repairs.add(count: faultCount - faults.count)
    return (bytes.decodedText(token), end + 1)
  }

  /// Returns the offset of the closing mark for the typographic quotation mark at `start`, if there is one on the same
  /// line.
  private func closingMark(_ bytes: RawSpan, at start: Int) -> Int? {
    guard InvisibleCharacter.isQuotationMark(bytes, at: start) else { return nil }
    var offset = start + 3
    while offset < bytes.byteCount, bytes.byte(at: offset) != 0x0A, bytes.byte(at: offset) != 0x0D {
      if InvisibleCharacter.isQuotationMark(bytes, at: offset) { return offset }
      offset += 1
    }
    return nil
  }

  /// Returns the offset after a word, which may have characters that need quotation marks and ends at white space or a
  /// separator.
  private func wordEnd(_ bytes: RawSpan, from start: Int) -> Int {
    var end = start
    while end < bytes.byteCount {
      switch bytes.byte(at: end) {
      case ...0x20, 0x22, 0x27, 0x28, 0x29, 0x2C, 0x3B, 0x3C, 0x3D, 0x3E, 0x7B, 0x7D: return end
      default: end += 1
      }
    }
    return end
  }

  /// Rereads the word before the fault as the key, including characters that need quotation marks.
  private mutating func extendWord(_ failure: TextFailure, in bytes: RawSpan) throws(TextFailure) {
    let end = wordEnd(bytes, from: last.lowerBound)
    guard end > last.upperBound, let first = bytes.byteIfAny(at: last.lowerBound), first != 0x22, first != 0x27,
      let top = containers.indices.last, !containers[top].keys.isEmpty
    else { throw failure }
    note(failure, "a string")
    containers[top].keys[containers[top].keys.count - 1] = String(utf8: bytes, in: last.lowerBound..<end)
    last = last.lowerBound..<end
    reader.offset = end
  }

  /// Rereads the string before the fault, up to the separator at the end of the line.
  ///
  /// The string is either a word with characters that need quotation marks or a string with quotation marks inside it.
  private mutating func extendText(_ failure: TextFailure, in bytes: RawSpan) throws(TextFailure) {
    guard let top = containers.indices.last, case .string? = containers[top].values.last,
      let first = bytes.byteIfAny(at: last.lowerBound), !hasLineEnd(in: last.lowerBound..<failure.offset, bytes)
    else { throw failure }
    var end = last.upperBound
    while end < bytes.byteCount, bytes.byte(at: end) != 0x0A, bytes.byte(at: end) != 0x0D { end += 1 }
    let separator: UInt8 = reader.expected == .pairEnd ? 0x3B : 0x2C
    // If the separator is missing or a comment follows it, there is no telling where the string ends.
    while end > last.upperBound, OpenStepScanner.isSpace(bytes.byte(at: end - 1)) { end -= 1 }
    guard end > last.upperBound, bytes.byte(at: end - 1) == separator else { throw failure }
    end -= 1
    while end > last.upperBound, OpenStepScanner.isSpace(bytes.byte(at: end - 1)) { end -= 1 }
    let text: String
    if first == 0x22 || first == 0x27 {
      guard end > last.upperBound, bytes.byte(at: end - 1) == first else { throw failure }
      text = String(utf8: bytes, in: last.lowerBound + 1..<end - 1)
    } else {
      text = String(utf8: bytes, in: last.lowerBound..<end)
    }
    note(failure, "a string up to the end of the line")
    containers[top].values[containers[top].values.count - 1] = .string(text)
    last = last.lowerBound..<end
    reader.offset = end
  }
}

extension RawSpan {
  fileprivate func byteIfAny(at offset: Int) -> UInt8? { offset < byteCount ? byte(at: offset) : nil }
}
