import Foundation
import Plist

struct AnyKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init(stringLiteral value: String) { stringValue = value }
  init?(intValue: Int) { nil }
}

struct ByHand: Encodable {
  let body: (any Encoder) throws -> Void

  init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }

  init(keyed body: @escaping (inout KeyedEncodingContainer<AnyKey>) throws -> Void) {
    self.body = { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      try body(&container)
    }
  }

  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

struct OwnError: Error {}

struct Throwing: Encodable {
  func encode(to encoder: any Encoder) throws { throw OwnError() }
}

struct Silent: Encodable {
  func encode(to encoder: any Encoder) {}
}

struct Box<Value: Encodable>: Encodable {
  var value: Value
}

extension Box: Decodable where Value: Decodable {}

struct Optionals: Codable {
  var first: Int?
  var second: String?
  var third: Date?
  var last = true
}

struct EveryNumber: Codable {
  var int8 = Int8.min
  var int16 = Int16.min
  var int32 = Int32.min
  var int64 = Int64.min
  var uint8 = UInt8.max
  var uint16 = UInt16.max
  var uint32 = UInt32.max
  var uint64 = UInt64.max
  var int = 4_294_967_296
  var uint = UInt(7)
  var float = Float(0.1)
  var double = 0.1
  var boolean = false
}

enum Payload: Codable {
  case none
  case unlabelled(Int, String)
  case labelled(x: Double, list: [Int], next: [Payload])
}

enum RawLevel: Int, Codable { case low = 1, high }

class BaseClass: Encodable {
  var name = "base"
  var shared = 1
}

class WithSuperEncoder: BaseClass {
  enum Keys: CodingKey { case own, other }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode("own", forKey: .own)
    try super.encode(to: container.superEncoder())
    try container.encode("other", forKey: .other)
  }
}

class WithSameEncoder: BaseClass {
  enum Keys: CodingKey { case own, shared }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode("own", forKey: .own)
    try container.encode("its own, and rather long", forKey: .shared)
    try super.encode(to: encoder)
  }
}

enum Location: String, Hashable, Codable, CodingKeyRepresentable { case here, there }

struct Configured: EncodableWithConfiguration {
  struct Configuration { var factor: Int }
  var value: Int

  func encode(to encoder: any Encoder, configuration: Configuration) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode(value * configuration.factor, forKey: "value")
  }
}

struct TripleConfiguration: EncodingConfigurationProviding {
  static var encodingConfiguration: Configured.Configuration { Configured.Configuration(factor: 3) }
}
