import Foundation
import Plist

struct DecodingOutcome: Equatable, CustomStringConvertible {
  let description: String
  private(set) var isError = false

  init<Value>(_ body: () throws -> Value) {
    do { description = Self.text(try body()) } catch {
      description = Self.text(of: error)
      isError = true
    }
  }

  private static func text(of error: any Error) -> String {
    switch error as? DecodingError {
    case .typeMismatch(let type, let context): return "typeMismatch \(type) \(path(context))"
    case .valueNotFound(let type, let context): return "valueNotFound \(type) \(path(context))"
    case .keyNotFound(let key, let context): return "keyNotFound \(text(of: key)) \(path(context))"
    case .dataCorrupted(let context): return "dataCorrupted \(path(context))"
    default: return "error \(error)"
    }
  }

  private static func path(_ context: DecodingError.Context) -> String {
    "at \(context.codingPath.map(text(of:)).joined(separator: "/"))"
  }

  private static func text(of key: any CodingKey) -> String {
    key.stringValue + (key.intValue.map { "#\($0)" } ?? "")
  }

  static func text(_ value: Any) -> String {
    switch value {
    case let value as Double: return "double \(value.isNaN ? "nan" : String(value.bitPattern))"
    case let value as Float: return "float \(value.isNaN ? "nan" : String(value.bitPattern))"
    case let value as Date: return "date \(value.timeIntervalSinceReferenceDate.bitPattern)"
    case let value as Data: return "data \(value.base64EncodedString())"
    case let value as String: return "\"\(value)\"(\(value.utf8.count))"
    case let value as any FixedWidthInteger: return "\(value)"
    case let value as PropertyList: return value.debugDescription
    case is Bool, is URL, is UUID, is Decimal: return "\(value)"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    var parts = mirror.children.map { "\($0.label ?? ""):\(text($0.value))" }
    if let parent = mirror.superclassMirror {
      parts += parent.children.map { "super.\($0.label ?? ""):\(text($0.value))" }
    }
    switch mirror.displayStyle {
    case .dictionary, .set: parts.sort()
    case .enum where parts.isEmpty: return "\(value)"
    default: break
    }
    return "\(type(of: value))(\(parts.joined(separator: ", ")))"
  }
}

struct DecodingModel: Sendable, CustomStringConvertible {
  let description: String
  let isUnordered: Bool
  let here: @Sendable (PlistDecoder, Data) -> DecodingOutcome
  let tree: @Sendable (PlistDecoder, PropertyList) -> DecodingOutcome
  let foundation: @Sendable (Data) -> DecodingOutcome

  init<Value: Decodable & SendableMetatype>(_ type: Value.Type) {
    description = "\(type)"
    isUnordered = description.contains("Dictionary<")
    here = { decoder, data in DecodingOutcome { try decoder.decode(Value.self, from: data) } }
    tree = { decoder, list in DecodingOutcome { try decoder.decode(Value.self, from: list) } }
    foundation = { data in DecodingOutcome { try PropertyListDecoder().decode(Value.self, from: data) } }
  }
}

extension DecodingModel {
  func isSame(_ left: DecodingOutcome, _ right: DecodingOutcome) -> Bool {
    left == right || isUnordered && left.isError && right.isError
  }
}
