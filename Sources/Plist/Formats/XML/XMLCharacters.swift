#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The characters that XML 1.0 allows in text (production 2, `Char`).
package enum XMLCharacters {
  /// Whether `bytes` has a character that XML forbids, ignoring one cut off at the end.
  package static func hasForbidden(_ bytes: RawSpan) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    // `less` sets the high bit of each byte below `bound`, which is at most 0x80. No borrow crosses into the next byte.
    func less(_ word: UInt64, _ bound: UInt64) -> UInt64 { ~((word | high) &- ones &* bound) & ~word & high }
    var offset = 0
    while offset + 8 <= bytes.byteCount {
      let word = bytes.word(at: offset)
      // The first test finds the control characters 00 to 08, 0B, 0C, and 0E to 1F; the second finds the byte EF, which
      // begins U+FFFE and U+FFFF in UTF-8.
      var found = less(word, 0x20) & ~less(word, 0x0E) | less(word, 0x0D) & ~less(word, 0x0B) | less(word, 0x09)
      found |= less(word ^ 0xEFEF_EFEF_EFEF_EFEF, 1)
      if found != 0, (offset..<offset + 8).contains(where: { isForbidden(bytes, at: $0) }) { return true }
      offset += 8
    }
    return (offset..<bytes.byteCount).contains { isForbidden(bytes, at: $0) }
  }

  private static func isForbidden(_ bytes: RawSpan, at offset: Int) -> Bool {
    switch bytes.byte(at: offset) {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20: true
    case 0xEF:
      offset + 2 < bytes.byteCount && bytes.byte(at: offset + 1) == 0xBF && bytes.byte(at: offset + 2) >= 0xBE
    default: false
    }
  }

  static func allows(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  static func firstForbidden(in text: String) -> Unicode.Scalar? {
    // Nearly all text has neither control characters nor the byte EF, which begins U+FFFE and U+FFFF, so one fast
    // search is usually enough.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0xEF }) else { return nil }
    return text.unicodeScalars.first { !allows($0) }
  }

  static func removingForbidden(from text: String) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text.unicodeScalars.lazy.filter(allows))
    return String(result)
  }
}

extension PlistWriteOptions.XMLOptions.ControlCharacters {
  /// Returns the text to write instead of `text`, or nil to write `text` unchanged.
  func applied(to text: String) throws(PlistWriteFailure) -> String? {
    guard policy != .raw, let forbidden = XMLCharacters.firstForbidden(in: text) else { return nil }
    if policy == .omit { return XMLCharacters.removingForbidden(from: text) }
    throw forbidden.value == 0 ? .nul : .controlCharacter
  }
}

/// Refuses or removes characters that XML does not allow, and passes everything else on to another formatter.
struct XMLCharacterFilter<Base: PlistFormatter & ~Copyable>: ~Copyable, PlistFormatter {
  private var base: Base
  private let controlCharacters: PlistWriteOptions.XMLOptions.ControlCharacters
  private let checksKeys: Bool
  /// The keys written so far in each open dictionary, kept because removing characters can make two keys equal.
  private var keys: [Set<ExactKey>] = []

  init(_ base: consuming Base, _ options: PlistWriteOptions) {
    self.base = base
    controlCharacters = options.xml.controlCharacters
    checksKeys = options.xml.checksKeys
  }

  static var acceptsNull: Bool { Base.acceptsNull }

  func checkRoom(for byteCount: Int) throws(PlistWriteFailure) { try base.checkRoom(for: byteCount) }

  func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
    try base.withBytes(body)
  }

  mutating func beginDictionary() throws(PlistWriteFailure) {
    keys.append([])
    try base.beginDictionary()
  }

  mutating func endDictionary() throws(PlistWriteFailure) {
    keys.removeLast()
    try base.endDictionary()
  }

  mutating func key(_ key: String) throws(PlistWriteFailure) {
    let written = try controlCharacters.applied(to: key) ?? key
    if checksKeys, let last = keys.indices.last, !keys[last].insert(ExactKey(written)).inserted { throw .sameKeys }
    try base.key(written)
  }

  mutating func string(utf8 string: RawSpan) throws(PlistWriteFailure) {
    guard XMLCharacters.hasForbidden(string) else { return try base.string(utf8: string) }
    let text = String(utf8: string)
    try base.string(controlCharacters.applied(to: text) ?? text)
  }

  mutating func key(utf8 key: RawSpan) throws(PlistWriteFailure) { try self.key(String(utf8: key)) }
  mutating func beginArray() throws(PlistWriteFailure) { try base.beginArray() }
  mutating func endArray() throws(PlistWriteFailure) { try base.endArray() }
  mutating func data(_ data: Data) throws(PlistWriteFailure) { try base.data(data) }
  mutating func scalar(_ scalar: PlistScalar) throws(PlistWriteFailure) { try base.scalar(scalar) }
}

extension XMLCharacterFilter: DocumentFormatter where Base: DocumentFormatter & ~Copyable {
  var isAtBeginning: Bool { base.isAtBeginning }
  mutating func removeBytes() { base.removeBytes() }
  mutating func finish() { base.finish() }
  mutating func takeData() -> Data { base.takeData() }

  init(options: PlistWriteOptions, format: PlistFormat) {
    self.init(Base(options: options, format: format), options)
  }

  init(copying other: borrowing XMLCharacterFilter) {
    base = Base(copying: other.base)
    controlCharacters = other.controlCharacters
    checksKeys = other.checksKeys
    keys = other.keys
  }
}
