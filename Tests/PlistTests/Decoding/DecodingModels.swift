import Foundation
import Plist

enum Models {
  struct Plain: Decodable {
    var a: Int
    var b: String?
    var c: [Int]?
  }

  struct Nested: Decodable {
    var a: Plain
    var b: [Plain]
    var c: [String: Plain]
  }

  struct Everything: Decodable {
    var i8: Int8?
    var i16: Int16?
    var i32: Int32?
    var i64: Int64?
    var u: UInt?
    var u8: UInt8?
    var u16: UInt16?
    var u32: UInt32?
    var u64: UInt64?
    var f: Float?
    var d: Double?
    var date: Date?
    var data: Data?
    var url: URL?
    var uuid: UUID?
    var decimal: Decimal?
    var flag: Bool?
    var text: String?
  }

  enum Color: String, Decodable { case red, green }
  enum Level: Int, Decodable { case low = 1, high = 2 }
  enum Figure: Decodable {
    case circle(radius: Double)
    case square(Int)
    case nothing
  }

  class Base: Decodable {
    var base: Int
  }
  final class Derived: Base {
    var derived: String
    private enum CodingKeys: String, CodingKey { case derived }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      derived = try container.decode(String.self, forKey: .derived)
      try super.init(from: container.superDecoder())
    }
  }
  final class Flat: Base {
    var flat: String
    private enum CodingKeys: String, CodingKey { case flat }
    required init(from decoder: any Decoder) throws {
      flat = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .flat)
      try super.init(from: decoder)
    }
  }

  struct ByHand: Decodable {
    var log: [String] = []
    private enum CodingKeys: String, CodingKey { case a, b, c, d, missing }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      log.append(container.allKeys.map(\.stringValue).sorted().joined(separator: ","))
      for key in [CodingKeys.a, .b, .c, .d, .missing] {
        log.append("\(key.stringValue) \(container.contains(key)) \(attempt { try container.decodeNil(forKey: key) })")
        log.append(attempt { try container.nestedContainer(keyedBy: CodingKeys.self, forKey: key).allKeys.count })
        log.append(
          attempt {
            var elements = try container.nestedUnkeyedContainer(forKey: key)
            var list: [String] = ["\(elements.count ?? -1) \(elements.codingPath.map(\.stringValue))"]
            while !elements.isAtEnd {
              if try elements.decodeNil() { continue }
              let before = elements.currentIndex
              if let int = try? elements.decode(Int.self) {
                list.append("\(int)")
              } else if let nested = try? elements.nestedContainer(keyedBy: CodingKeys.self) {
                list.append("\(nested.codingPath.map(\.stringValue)) \(nested.allKeys.count)")
              } else if let nested = try? elements.nestedUnkeyedContainer() {
                list.append("\(nested.codingPath.map(\.stringValue)) \(nested.count ?? -1)")
              } else {
                let part = try elements.superDecoder()
                list.append("\(part.codingPath.map(\.stringValue))")
              }
              list.append("\(before) \(elements.currentIndex)")
            }
            list.append(attempt { try elements.decodeIfPresent(Int.self) as Any })
            list.append(attempt { try elements.decode(Int.self) })
            list.append(attempt { try elements.decodeNil() })
            list.append(attempt { try elements.nestedUnkeyedContainer().count as Any })
            return list
          })
        log.append(attempt { try container.superDecoder(forKey: key).singleValueContainer().decodeNil() })
        log.append(attempt { try container.superDecoder(forKey: key).unkeyedContainer().count ?? -1 })
        log.append(
          attempt { try container.superDecoder(forKey: key).container(keyedBy: CodingKeys.self).allKeys.count })
        log.append(attempt { try container.superDecoder(forKey: key).singleValueContainer().decode(Int.self) })
        log.append(attempt { try container.decodeIfPresent(Plain.self, forKey: key) as Any })
        log.append(attempt { try container.decodeIfPresent(Date.self, forKey: key) as Any })
        log.append(attempt { try container.decodeIfPresent(Int.self, forKey: key) as Any })
        log.append(attempt { try container.decode([Int?].self, forKey: key) })
      }
    }

    private func attempt<Value>(_ body: () throws -> Value) -> String { DecodingOutcome(body).description }
  }

  struct Anything: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        text = "nil"
      } else if let value = try? container.decode(Bool.self) {
        text = "\(value)"
      } else if let value = try? container.decode(Int.self) {
        text = "\(value)"
      } else if let value = try? container.decode(Double.self) {
        text = DecodingOutcome.text(value)
      } else if let value = try? container.decode(String.self) {
        text = value
      } else if let value = try? container.decode([Anything].self) {
        text = "[" + value.map(\.text).joined(separator: ",") + "]"
      } else if let value = try? container.decode([String: Anything].self) {
        text = "[" + value.map { "\($0):\($1.text)" }.sorted().joined(separator: ",") + "]"
      } else if let value = try? container.decode(Date.self).timeIntervalSinceReferenceDate {
        text = "\(value)"
      } else {
        text = "\(try container.decode(Data.self).count) bytes at \(container.codingPath.map(\.stringValue))"
      }
    }
  }

  struct Wrapper<Value: Decodable>: Decodable {
    var value: Value
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Value.self) }
  }

  struct Key: CodingKeyRepresentable, Hashable, Decodable {
    var name: String
    var codingKey: any CodingKey { Name(stringValue: name) }
    init?(codingKey: some CodingKey) { name = codingKey.stringValue }
    struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
  }

  static let all: [DecodingModel] = [
    DecodingModel(Plain.self), DecodingModel(Nested.self), DecodingModel(Everything.self), DecodingModel(Color.self),
    DecodingModel(Level.self), DecodingModel(Figure.self), DecodingModel(Base.self), DecodingModel(Derived.self),
    DecodingModel(Flat.self), DecodingModel(ByHand.self), DecodingModel(Anything.self),
    DecodingModel(Wrapper<Wrapper<Int>>.self), DecodingModel(Wrapper<[Plain]>.self),
    DecodingModel(Int.self), DecodingModel(Int8.self), DecodingModel(Int16.self), DecodingModel(Int32.self),
    DecodingModel(Int64.self), DecodingModel(UInt.self), DecodingModel(UInt8.self), DecodingModel(UInt16.self),
    DecodingModel(UInt32.self), DecodingModel(UInt64.self), DecodingModel(Float.self), DecodingModel(Double.self),
    DecodingModel(Bool.self), DecodingModel(String.self), DecodingModel(Date.self), DecodingModel(Data.self),
    DecodingModel(URL.self), DecodingModel(UUID.self), DecodingModel(Decimal.self),
    DecodingModel(Int?.self), DecodingModel(String?.self), DecodingModel([Int].self), DecodingModel([Int?].self),
    DecodingModel([String].self), DecodingModel([Double].self), DecodingModel([Float].self),
    DecodingModel([UInt8].self),
    DecodingModel([Bool].self), DecodingModel([Date].self), DecodingModel([Data].self), DecodingModel([[Int]].self),
    DecodingModel([Color].self), DecodingModel([Figure].self), DecodingModel([Plain].self),
    DecodingModel([Plain?].self),
    DecodingModel(Set<Int>.self), DecodingModel([String: Int].self), DecodingModel([String: String].self),
    DecodingModel([String: Int?].self), DecodingModel([Int: String].self), DecodingModel([Color: Int].self),
    DecodingModel([Key: Int].self), DecodingModel([String: [String: Int]].self), DecodingModel([String: Anything].self),
    DecodingModel([Everything].self), DecodingModel([UUID].self), DecodingModel([Decimal].self),
    DecodingModel(ClosedRange<Int>.self),
  ]
}

extension Models.Color: CodingKeyRepresentable {}
