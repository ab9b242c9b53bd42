import Foundation
import Plist

enum ValueNotation {
  static func text(_ value: PropertyList) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .integer(let integer): "int(\(integer))"
    case .real(let real): "real(\(real))"
    case .boolean(let boolean): boolean ? "true" : "false"
    case .date(let date): "date(\(date.timeIntervalSinceReferenceDate))"
    case .data(let data): "<\(hexadecimal(data))>"
    case .uid(let uid): "uid(\(uid.value))"
    case .null: "null"
    case .array(let elements): array(elements.map(text))
    case .dictionary(let pairs): dictionary(pairs.map { ($0.key, text($0.value)) })
    }
  }

  /// Returns quoted text, with `"`, `\` and everything outside printable ASCII as `\u{hex}`.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      let isPlain = 0x20..<0x7F ~= scalar.value && scalar != "\"" && scalar != "\\"
      quoted += isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
    return quoted + "\""
  }

  static func hexadecimal(_ data: Data) -> String {
    data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func array(_ elements: [String]) -> String {
    "[\(elements.joined(separator: ","))]"
  }

  private static func dictionary(_ pairs: [(key: String, value: String)]) -> String {
    let sorted = pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return "{\(sorted.map { "\(quoted($0.key)):\($0.value)" }.joined(separator: ","))}"
  }
}

extension ValueNotation {
  static func text(foundation value: Any) -> String? {
    switch value {
    case let text as String: return quoted(text)
    case let data as Data: return "<\(hexadecimal(data))>"
    case let date as Date: return "date(\(date.timeIntervalSinceReferenceDate))"
    case let number as NSNumber: return numberText(number)
    case let elements as [Any]:
      let texts = elements.compactMap { text(foundation: $0) }
      return texts.count == elements.count ? array(texts) : nil
    case let pairs as [String: Any]:
      let texts = pairs.compactMap { pair in text(foundation: pair.value).map { (pair.key, $0) } }
      return texts.count == pairs.count ? dictionary(texts) : nil
    case is NSNull: return "null"
    default: return uid(value)
    }
  }

  private static func numberText(_ number: NSNumber) -> String {
    // Only Booleans have the type code of `char`: Foundation reads integers as 64-bit numbers, and reals as doubles.
    switch unsafe UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "c"): return number.boolValue ? "true" : "false"
    case UInt8(ascii: "d"), UInt8(ascii: "f"): return "real(\(number.doubleValue))"
    default:
      let isAboveInt64 = number.compare(NSNumber(value: Int64.max)) == .orderedDescending
      return isAboveInt64 ? "int(\(number.uint64Value))" : "int(\(number.int64Value))"
    }
  }

  /// Foundation shows a UID's number only in the XML it writes.
  private static func uid(_ value: Any) -> String? {
    guard String(describing: type(of: value)) == "_NSKeyedArchiverUID",
      let xml = try? PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0),
      let match = String(decoding: xml, as: UTF8.self).firstMatch(of: /<integer>(\d+)<\/integer>/)
    else { return nil }
    return "uid(\(match.1))"
  }
}
