#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The order in which plutil prints keys, which puts `k9` before `k10` and `a` next to `A`.
enum PlutilKeyOrder {
  static func sorted(_ keys: [String]) -> [String] {
    keys.map { (scalars: decomposed($0), key: $0) }.sorted { isBefore($0.scalars, $1.scalars) }.map(\.key)
  }

  /// Compares two keys, ignoring case and accents and treating digits as numbers.
  ///
  /// If two keys differ only in case and accents, accents decide first, and lowercase comes before uppercase.
  ///
  /// For ASCII and accented letters, this is Foundation's order. We don't use Foundation because its collation tables
  /// would add 45 MB to a static binary.
  private static func isBefore(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Bool {
    var (rest, otherRest) = (one.filter { !isAccent($0) }[...], other.filter { !isAccent($0) }[...])
    while let first = rest.first, let second = otherRest.first {
      if isDigit(first), isDigit(second) {
        let (number, otherNumber) = (rest.prefix(while: isDigit), otherRest.prefix(while: isDigit))
        let (value, otherValue) = (number.drop { $0 == "0" }, otherNumber.drop { $0 == "0" })
        if value.count != otherValue.count { return value.count < otherValue.count }
        if !value.elementsEqual(otherValue) { return value.lexicographicallyPrecedes(otherValue) }
        (rest, otherRest) = (rest.dropFirst(number.count), otherRest.dropFirst(otherNumber.count))
      } else {
        let (rank, otherRank) = (rank(first), rank(second))
        if rank != otherRank { return rank < otherRank }
        (rest, otherRest) = (rest.dropFirst(), otherRest.dropFirst())
      }
    }
    if !rest.isEmpty || !otherRest.isEmpty { return rest.isEmpty }
    let (accents, otherAccents) = (one.map(accentRank), other.map(accentRank))
    if accents != otherAccents { return accents.lexicographicallyPrecedes(otherAccents) }
    return other.lexicographicallyPrecedes(one)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool { 0x300...0x36F ~= scalar.value }
  private static func accentRank(_ scalar: Unicode.Scalar) -> UInt32 { isAccent(scalar) ? scalar.value : 0 }

  /// Returns a character's rank in the Unicode Collation Algorithm, which is correct only for ASCII.
  private static func rank(_ scalar: Unicode.Scalar) -> UInt32 {
    if let index = punctuation.firstIndex(of: scalar) { return UInt32(index) }
    return 0x100 + (scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar).value
  }

  private static let punctuation = Array("\t\n\u{B}\u{C}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".unicodeScalars)

  /// Splits each accented letter into a letter and an accent.
  private static func decomposed(_ key: String) -> [Unicode.Scalar] {
    if key.utf8.allSatisfy({ $0 < 0x80 }) { return Array(key.unicodeScalars) }
    return key.unicodeScalars.flatMap { accents[Character($0)] ?? [$0] }
  }

  private static let accents: [Character: [Unicode.Scalar]] = {
    var accents: [Character: [Unicode.Scalar]] = [:]
    for letter in UInt8(ascii: "A")...UInt8(ascii: "z") {
      for accent in (0x300...0x36F as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
        let scalars = [Unicode.Scalar(letter), accent]
        accents[Character(String(String.UnicodeScalarView(scalars)))] = scalars
      }
    }
    return accents
  }()
}

enum PlutilNumber {
  /// Formats a number with six decimal places, or as its shortest exact form if six would change the value.
  static func text(of real: Double) -> String {
    guard real.isFinite else { return (real.sign == .minus ? "-" : "") + (real.isNaN ? "nan" : "inf") }
    let text = (real.sign == .minus ? "-" : "") + sixDigits(real.magnitude)
    return Double(text) == real ? text : real.description
  }

  /// Rounds the exact value of `real` to six decimal places, with ties to even.
  private static func sixDigits(_ real: Double) -> String {
    let significand = real.significandBitPattern | (real.isNormal ? 1 << 52 : 0)
    let exponent = max(Int(real.exponentBitPattern), 1) - 1075
    if exponent >= 0 { return doubled(String(significand), exponent) + ".000000" }
    // A million times the fraction is below 2⁷³, so shifting by 100 bits gives zero, as any longer shift would.
    let places = min(-exponent, 100)
    var whole = significand >> places
    let (high, low) = (significand & (1 << places &- 1)).multipliedFullWidth(by: 1_000_000)
    var millionths = places < 64 ? high << (64 - places) | low >> places : high >> (places - 64)
    let (rest, half): ((UInt64, UInt64), (UInt64, UInt64)) =
      places <= 64
      ? ((0, low & (1 << places &- 1)), (0, 1 << (places - 1)))
      : ((high & (1 << (places - 64) &- 1), low), (1 << (places - 65), 0))
    if rest > half || rest == half && millionths % 2 == 1 { millionths += 1 }
    if millionths == 1_000_000 { (whole, millionths) = (whole + 1, 0) }
    let fraction = String(millionths)
    return "\(whole)." + String(repeating: "0", count: 6 - fraction.count) + fraction
  }

  /// Returns the decimal digits of `number` × 2^`times`.
  private static func doubled(_ number: String, _ times: Int) -> String {
    var digits = Array(number.utf8.reversed()).map { $0 - UInt8(ascii: "0") }
    for _ in 0..<times {
      var carry: UInt8 = 0
      for index in digits.indices {
        let digit = 2 * digits[index] + carry
        (digits[index], carry) = (digit % 10, digit / 10)
      }
      if carry > 0 { digits.append(carry) }
    }
    return digits.reversed().map(String.init).joined()
  }
}

enum PlutilPrinter {
  static func text(of value: PropertyList) -> String {
    var text = ""
    var walk = ValueWalk(value, order: PlutilKeyOrder.sorted)
    while let step = walk.next() {
      text += String(repeating: "  ", count: walk.position.depth)
      switch step {
      case .end(.array): text += "]\n"
      case .end: text += "}\n"
      case .begin(let value), .leaf(let value):
        if let key = walk.position.key {
          text += "\"\(key)\" => "
        } else if walk.position.depth > 0 {
          text += "\(walk.position.index) => "
        }
        text += line(of: value) + "\n"
      }
    }
    return text
  }

  /// Returns the text of a scalar, or the first line of a container.
  private static func line(of value: PropertyList) -> String {
    switch value {
    case .array: "["
    case .dictionary: "{"
    case .string(let string): "\"\(string)\""
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let boolean): boolean ? "true" : "false"
    case .date(let date): date.spacedText
    case .data(let data): "{length = \(data.count), bytes = 0x\(digits(of: data))}"
    case .uid(let uid): "{value = \(uid.value)}"
    case .null: "<null>"
    }
  }

  /// Returns hexadecimal digits; of long data, only the first sixteen and last eight bytes.
  private static func digits(of data: Data) -> String {
    let hexadecimal = { (bytes: Data) in bytes.map { $0.digits(radix: 16, width: 2) }.joined() }
    if data.count <= 24 { return hexadecimal(data) }
    return "\(hexadecimal(data.prefix(16)))... \(hexadecimal(data.suffix(8)))"
  }
}

/// plutil's JSON, either without white space or indented with a space before each colon.
enum PlutilJSON {
  /// Returns a value as JSON text.
  ///
  /// - Throws: `PlutilError` for a value that JSON cannot represent.
  static func text(of value: PropertyList, isReadable: Bool) throws(PlutilError) -> String {
    var text = ""
    let order: (([String]) -> [String])? = isReadable ? { PlutilKeyOrder.sorted($0) } : nil
    var walk = ValueWalk(value, order: order)
    while let step = walk.next() {
      let depth = walk.position.depth
      let indent = isReadable ? String(repeating: "  ", count: depth) : ""
      switch step {
      case .end(let container):
        if isReadable { text += (isEmpty(container) ? "\n\n" : "\n") + indent }
        text += container.kind == .array ? "]" : "}"
      case .begin(let value), .leaf(let value):
        if depth > 0 {
          if walk.position.index > 0 { text += "," }
          if isReadable { text += "\n" + indent }
          if let key = walk.position.key { text += quoted(key) + (isReadable ? " : " : ":") }
        }
        guard let token = token(of: value), depth > 0 || value.kind == .array || value.kind == .dictionary else {
          throw PlutilError("Invalid object in plist for JSON format\(walk.path.messageSuffix(isWhole: true))")
        }
        text += token
      }
    }
    return text
  }

  private static func isEmpty(_ container: PropertyList) -> Bool {
    switch container {
    case .array(let elements): elements.isEmpty
    case .dictionary(let dictionary): dictionary.isEmpty
    default: false
    }
  }

  /// Returns the first token of a value, or nil if JSON cannot represent it.
  private static func token(of value: PropertyList) -> String? {
    switch value {
    case .array: return "["
    case .dictionary: return "{"
    case .string(let string): return quoted(string)
    case .integer(let integer): return integer.description
    case .real(let real) where real.isFinite:
      let text = real.description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .boolean(let boolean): return boolean ? "true" : "false"
    case .null: return "null"
    case .real, .date, .data, .uid: return nil
    }
  }

  private static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "/": text += "\\/"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case ..<" ": text += "\\u" + scalar.value.digits(radix: 16, width: 4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
#endif
