import Foundation
import Plist

enum CanonicalText {
  static let null = string("$null")
  static func bool(_ value: Bool) -> String { "\(value)" }
  static func integer(_ value: some BinaryInteger) -> String { "\(value)" }
  static func real(_ value: Double) -> String { "real \(value)" }
  static func string(_ value: String) -> String { value.debugDescription }
  static func date(_ value: Date) -> String { "date \(value.timeIntervalSinceReferenceDate)" }
  static func data(_ value: Data) -> String { "data \(value.base64EncodedString())" }
  static func array(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }

  static func dictionary(_ pairs: [(key: String, value: String)]) -> String {
    let sorted = pairs.map { "\(string($0.key)): \($0.value)" }.sorted()
    return "{\(sorted.joined(separator: ", "))}"
  }

  static func value(_ value: PropertyList) -> String {
    switch value {
    case .string(let value): string(value)
    case .integer(let value): value.isNegative ? "-\(value.magnitude)" : "\(value.magnitude)"
    case .real(let value): real(value)
    case .boolean(let value): bool(value)
    case .date(let value): date(value)
    case .data(let value): data(value)
    case .uid(let value): "uid \(value)"
    case .null: null
    case .array(let elements): array(elements.map(self.value))
    case .dictionary(let pairs): dictionary(pairs.map { ($0.key, self.value($0.value)) })
    }
  }

  static func isDocument(_ text: String) -> Bool { "[{".contains(text.first ?? " ") || text.hasPrefix("data ") }
}
