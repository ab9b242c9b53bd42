#if CommandLineTool
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Formats values like the `description` of Foundation's objects on macOS.
enum DefaultsPrinter {
  static func text(of value: PropertyList) -> String {
    value.kind == .array || value.kind == .dictionary ? tree(of: value) : plain(value)
  }

  private static func tree(of value: PropertyList) -> String {
    var text = ""
    var walk = ValueWalk(value) { $0.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) } }
    var open: [(isDictionary: Bool, count: Int)] = []
    while let step = walk.next() {
      let depth = walk.position.depth
      let indent = String(repeating: "    ", count: depth)
      switch step {
      case .end:
        text += indent + (open.removeLast().isDictionary ? "}" : ")") + ending(open, walk.position.index)
      case .begin(let container):
        text += indent
        if let key = walk.position.key { text += "\(quoted(key)) = " }
        let isDictionary = container.kind == .dictionary
        text += indent + (isDictionary ? "{\n" : "(\n")
        open.append((isDictionary, container.count))
      case .leaf(let value):
        text += indent
        if let key = walk.position.key { text += "\(quoted(key)) = " }
        text += element(value) + ending(open, walk.position.index)
      }
    }
    return text
  }

  /// Returns what follows an element of the innermost open container, such as `;` or `,`.
  private static func ending(_ open: [(isDictionary: Bool, count: Int)], _ index: Int) -> String {
    guard let container = open.last else { return "" }
    return container.isDictionary ? ";\n" : index + 1 < container.count ? ",\n" : "\n"
  }

  /// Returns the text of an element, in quotes unless it is data, a UID, null or a single word.
  private static func element(_ value: PropertyList) -> String {
    let text = plain(value)
    return value.kind == .data || value.kind == .uid || value.kind == .null ? text : quoted(text)
  }

  private static func plain(_ value: PropertyList) -> String {
    switch value {
    case .string(let string): string
    case .integer(let integer): integer.description
    case .boolean(let boolean): boolean ? "1" : "0"
    case .real(let real): number(real)
    case .date(let date): date.spacedText
    case .data(let data): "{length = \(data.count), bytes = 0x\(digits(of: data))}"
    case .uid(let uid): "{value = \(uid.value)}"
    case .null: "<null>"
    case .array, .dictionary: ""
    }
  }

  /// Returns hexadecimal digits; for long data, only the first sixteen and last eight bytes, in groups of four bytes.
  private static func digits(of data: Data) -> String {
    let digits = { (bytes: Data) in
      bytes.map { $0.digits(radix: 16, width: 2) }.joined()
    }
    if data.count <= 24 { return digits(data) }
    let groups = { (bytes: Data) in
      stride(from: 0, to: bytes.count, by: 4).map { digits(bytes.dropFirst($0).prefix(4)) }.joined(separator: " ")
    }
    return "\(groups(data.prefix(16))) ... \(groups(data.suffix(8))) "
  }

  /// Returns `text` unchanged if it is one word of ASCII letters and digits, and otherwise as a quoted ASCII string.
  static func quoted(_ text: String) -> String {
    let isWord = text.utf8.allSatisfy { byte in
      0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
    }
    if isWord, !text.isEmpty { return text }
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0x07: result += "\\a"
      case 0x08: result += "\\b"
      case 0x09: result += "\\t"
      case 0x0A: result += "\\n"
      case 0x0B: result += "\\v"
      case 0x0C: result += "\\f"
      case 0x0D: result += "\\r"
      case 0x20..<0x7F: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      case 0..<0x80:
        result += "\\" + unit.digits(radix: 8, width: 3)
      default:
        result += "\\U" + unit.digits(radix: 16, width: 4)
      }
    }
    return result + "\""
  }
}

/// Formats real numbers like the `description` of `NSNumber`, which uses `%0.16g`.
extension DefaultsPrinter {
  static func number(_ real: Double) -> String {
    guard real.isFinite else { return real.isNaN ? "nan" : real < 0 ? "-inf" : "inf" }
    if real == 0 { return real.sign == .minus ? "-0" : "0" }
    var (digits, exponent) = decimal(real.magnitude)
    if digits.count > 16 {
      // The shortest decimal form of a `Double` can have 17 digits, but `%0.16g` prints 16, so round off the last one.
      let last = digits.removeLast()
      if last >= 5 { exponent += increment(&digits) }
    }
    while digits.count > 1, digits.last == 0 { digits.removeLast() }
    let text = digits.map(String.init).joined()
    let sign = real < 0 ? "-" : ""
    if exponent < -4 || exponent >= 16 {
      let fraction = text.count > 1 ? "." + text.dropFirst() : ""
      let size = String(abs(exponent))
      return "\(sign)\(text.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(size.count < 2 ? "0" : "")\(size)"
    }
    if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + text }
    let whole = exponent + 1
    if text.count <= whole { return sign + text + String(repeating: "0", count: whole - text.count) }
    return sign + text.prefix(whole) + "." + text.dropFirst(whole)
  }

  /// Returns the shortest decimal digits of `real` without leading zeros, and the exponent of the first digit.
  private static func decimal(_ real: Double) -> ([Int], Int) {
    let parts = real.description.split(separator: "e")
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    var digits: [Int] = []
    var isBehindPoint = false
    var hasBegun = false
    for character in parts[0] {
      guard let digit = character.wholeNumberValue else {
        isBehindPoint = true
        continue
      }
      if digit != 0, !hasBegun {
        hasBegun = true
        if isBehindPoint { exponent -= 1 }
      } else if hasBegun, !isBehindPoint {
        exponent += 1
      } else if !hasBegun, isBehindPoint {
        exponent -= 1
      }
      if hasBegun { digits.append(digit) }
    }
    return (digits, exponent)
  }

  /// Adds 1 to the last digit, and returns 1 if that has added a digit at the front, or 0 otherwise.
  private static func increment(_ digits: inout [Int]) -> Int {
    for index in digits.indices.reversed() {
      if digits[index] < 9 {
        digits[index] += 1
        return 0
      }
      digits[index] = 0
    }
    digits = [1] + digits.dropLast()
    return 1
  }
}
#endif
