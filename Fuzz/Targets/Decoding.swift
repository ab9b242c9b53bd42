import Foundation
import Plist

extension FuzzTarget {
  static let decode = FuzzTarget(
    "decode", "whatever is decoded, nothing traps, and what was decoded encodes and decodes again", controlCount: 1
  ) { input in
    guard let control = input.first else { return }
    let model = DecodedModel.all[Int(control) % DecodedModel.all.count]
    try model.check(Data(input.dropFirst()), control >= 128)
  }
}

struct DecodedModel: Sendable {
  let check: @Sendable (_ document: Data, _ isLenient: Bool) throws -> Void

  private init<Value: Codable & SendableMetatype>(_ type: Value.Type) {
    check = { document, isLenient in try Self.check(type, document, isLenient) }
  }

  static let all: [DecodedModel] = [
    DecodedModel(Models.Record.self), DecodedModel([Models.Record].self), DecodedModel(Models.Numbers.self),
    DecodedModel(Models.Tree.self), DecodedModel(Models.Anything.self), DecodedModel(PropertyList.self),
    DecodedModel([String: String].self), DecodedModel([String].self), DecodedModel([Int].self),
    DecodedModel([[Double?]].self), DecodedModel([Date].self), DecodedModel([Data].self),
    DecodedModel(Models.Choice.self),
    DecodedModel([Models.Color].self), DecodedModel([String: [Models.Record]].self), DecodedModel([Int: UInt8].self),
    DecodedModel(Models.Derived.self), DecodedModel([UUID?].self), DecodedModel([Decimal].self),
    DecodedModel([URL].self), DecodedModel([PropertyListUID].self),
  ]

  private static func check<Value: Codable & SendableMetatype>(
    _ type: Value.Type, _ document: Data, _ isLenient: Bool
  ) throws {
    var decoder = PlistDecoder(options: PlistReadOptions(limits: Reading.limits))
    if isLenient {
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      decoder.unreadKeyStrategy = .refuse
    }
    guard let value = try decoded(type, document, decoder) else { return }
    guard !isLenient else { return }
    var encoder = PlistEncoder()
    encoder.writeOptions.sortedKeys = true
    for format in [PlistFormat.binary, .xml] {
      encoder.outputFormat = format
      guard let data = try? encoder.encode(value) else { continue }
      guard let again = try decoded(type, data, PlistDecoder()) else {
        throw FuzzFinding("\(type) was decoded and encoded, but does not decode: \(data.base64EncodedString())")
      }
      try expect(try encoder.encode(again) == data, "\(type) is encoded differently after a round trip")
    }
  }

  private static func decoded<Value: Decodable>(
    _ type: Value.Type, _ document: Data, _ decoder: PlistDecoder
  ) throws(FuzzFinding) -> Value? {
    do {
      return try decoder.decode(type, from: document)
    } catch let error as DecodingError {
      if case .dataCorrupted(let context) = error, let cause = context.underlyingError as? PlistError {
        try Reading.checkError(cause, of: document)
      }
      return nil
    } catch {
      throw FuzzFinding("decoding \(type) fails with \(error)")
    }
  }
}

enum Models {
  struct Record: Codable {
    var a: Int
    var b: String?
    var c: [Int]?
    var d: Date?
    var e: Data?
    var k: Bool?
  }

  struct Numbers: Codable {
    var a: Int8?
    var b: UInt16?
    var c: Int32?
    var d: UInt64?
    var e: Float?
    var k: Double?
  }

  enum Color: String, Codable { case a, b, k }

  enum Choice: Codable {
    case a(b: Double)
    case b(Int)
    case k
  }

  class Base: Codable { var a: Int }

  final class Derived: Base {
    let b: String
    private enum CodingKeys: String, CodingKey { case b }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      b = try container.decode(String.self, forKey: .b)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(b, forKey: .b)
      try super.encode(to: container.superEncoder())
    }
  }

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  struct Tree: Codable {
    var elements: [Tree]?
    var pairs: [(key: Key, value: Tree)]?

    init(from decoder: any Decoder) throws {
      if var container = try? decoder.unkeyedContainer() {
        var elements: [Tree] = []
        while !container.isAtEnd { elements.append(try container.decode(Tree.self)) }
        self.elements = elements
      } else if let container = try? decoder.container(keyedBy: Key.self) {
        pairs = try container.allKeys.map { ($0, try container.decode(Tree.self, forKey: $0)) }
      }
    }

    func encode(to encoder: any Encoder) throws {
      if let pairs {
        var container = encoder.container(keyedBy: Key.self)
        for pair in pairs { try container.encode(pair.value, forKey: pair.key) }
      } else if let elements {
        var container = encoder.unkeyedContainer()
        for element in elements { try container.encode(element) }
      } else {
        var container = encoder.singleValueContainer()
        try container.encode("leaf")
      }
    }
  }

  enum Anything: Codable {
    case boolean(Bool), integer(Int), real(Double), text(String), date(Date), data(Data)
    case list([Anything]), dictionary([String: Anything]), missing

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .missing
      } else if let value = try? container.decode(Bool.self) {
        self = .boolean(value)
      } else if let value = try? container.decode(Int.self) {
        self = .integer(value)
      } else if let value = try? container.decode(Double.self) {
        self = .real(value)
      } else if let value = try? container.decode(String.self) {
        self = .text(value)
      } else if let value = try? container.decode(Date.self) {
        self = .date(value)
      } else if let value = try? container.decode(Data.self) {
        self = .data(value)
      } else if let value = try? container.decode([Anything].self) {
        self = .list(value)
      } else {
        self = .dictionary(try container.decode([String: Anything].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .boolean(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .real(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      case .date(let value): try container.encode(value)
      case .data(let value): try container.encode(value)
      case .list(let value): try container.encode(value)
      case .dictionary(let value): try container.encode(value)
      case .missing: try container.encodeNil()
      }
    }
  }
}
