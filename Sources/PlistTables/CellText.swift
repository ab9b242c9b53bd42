import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum CellText {
  private static let options = PlistWriteOptions(unrepresentable: .convert, layout: .compact)

  /// Returns a value as one line of JSON, with dates in RFC 3339 format and data in Base64.
  static func json(_ value: PropertyList) -> String { String(decoding: jsonData(value), as: UTF8.self) }

  static func jsonData(_ value: PropertyList) -> Data {
    // With `convert`, every value can be written as JSON.
    (try? value.data(format: .json, options: options)) ?? Data("null".utf8)
  }

  /// Returns a value as text without quotation marks; arrays, dictionaries and UIDs are written as JSON.
  static func text(_ value: PropertyList) -> String {
    switch value {
    case .string(let string): string
    case .integer(let integer): integer.description
    case .boolean(let boolean): boolean ? "true" : "false"
    case .null: ""
    case .real(let real) where real.isFinite: json(value)
    case .uid, .array, .dictionary: json(value)
    case .real, .date, .data: String(json(value).dropFirst().dropLast())
    }
  }
}
