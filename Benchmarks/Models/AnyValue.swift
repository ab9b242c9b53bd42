import Foundation
import Plist

/// Any value, decoded the way such types usually are: by trying one type after another and dropping most errors.
enum AnyValue: Decodable {
  case bool(Bool), int(Int), double(Double), string(String), date(Date), data(Data)
  case array([AnyValue]), dictionary([String: AnyValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Date.self) {
      self = .date(value)
    } else if let value = try? container.decode(Data.self) {
      self = .data(value)
    } else if let value = try? container.decode([AnyValue].self) {
      self = .array(value)
    } else {
      self = .dictionary(try container.decode([String: AnyValue].self))
    }
  }
}

/// A type that asks a dictionary for ten keys it doesn't have.
struct MissingKeys: Decodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for number in 0..<10 { _ = try? container.decode(String.self, forKey: Key(stringValue: "missing key \(number)")) }
  }
}

extension Contestant {
  static func tryingToDecode<Value: Decodable>(_ type: Value.Type, _ form: Form) -> [Contestant] {
    func decoding(_ name: String, _ decoder: some ModelDecoder) -> Contestant {
      Contestant(name, from: { $0[form] }, { try decoder.decode(type, from: $0) })
    }
    return [decoding("Plist", PlistDecoder()), decoding("Foundation", PropertyListDecoder())]
  }
}
