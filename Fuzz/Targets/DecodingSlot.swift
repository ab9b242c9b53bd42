import Foundation
import Plist

enum DecodingSlot {
  case decoder(any Decoder)
  case keyed(any KeyedDecodingSlot)
  case unkeyed(any UnkeyedDecodingContainer)
  case single(any SingleValueDecodingContainer)

  mutating func apply(_ use: DecodingScript.Use) throws -> (String, DecodingSlot?) {
    let keyType = use.keyMetatype
    switch self {
    case .decoder(let decoder):
      switch use.member % 3 {
      case 0: return ("container", .keyed(try Self.keyed(decoder, keyType)))
      case 1: return ("unkeyed container", .unkeyed(try decoder.unkeyedContainer()))
      default: return ("single value container", .single(try decoder.singleValueContainer()))
      }
    case .keyed(var container):
      defer { self = .keyed(container) }
      return try container.apply(use)
    case .unkeyed(var container):
      defer { self = .unkeyed(container) }
      switch use.member {
      case 0, 1: return ("nested", .keyed(try Self.nested(&container, keyType)))
      case 2, 3: return ("nested unkeyed", .unkeyed(try container.nestedUnkeyedContainer()))
      case 4: return ("super", .decoder(try container.superDecoder()))
      case 5, 6: return ("nil \(try container.decodeNil())", nil)
      case 7: return ("\(container.currentIndex) of \(container.count ?? -1), \(container.isAtEnd)", nil)
      default: return (try DecodedTypes.all[use.type % DecodedTypes.all.count].unkeyed(&container), nil)
      }
    case .single(let container):
      if use.member < 2 { return ("nil \(container.decodeNil())", nil) }
      return (try DecodedTypes.all[use.type % DecodedTypes.all.count].single(container), nil)
    }
  }

  func isUnordered(_ use: DecodingScript.Use) -> Bool {
    let isDecoding =
      switch self {
      case .decoder: false
      case .keyed: use.member > 8
      case .unkeyed: use.member > 7
      case .single: use.member > 1
      }
    return isDecoding && DecodedTypes.all[use.type % DecodedTypes.all.count].isUnordered
  }

  private static func keyed<Key: ScriptKey>(_ decoder: any Decoder, _ type: Key.Type) throws -> any KeyedDecodingSlot {
    KeyedDecodingSlotOf(container: try decoder.container(keyedBy: type))
  }

  private static func nested<Key: ScriptKey>(
    _ container: inout any UnkeyedDecodingContainer, _ type: Key.Type
  ) throws -> any KeyedDecodingSlot {
    KeyedDecodingSlotOf(container: try container.nestedContainer(keyedBy: type))
  }
}

/// Erases the type of the keys, so that one type can represent any keyed decoding container.
protocol KeyedDecodingSlot {
  mutating func apply(_ use: DecodingScript.Use) throws -> (String, DecodingSlot?)
}

private struct KeyedDecodingSlotOf<Key: ScriptKey>: KeyedDecodingSlot {
  let container: KeyedDecodingContainer<Key>

  func apply(_ use: DecodingScript.Use) throws -> (String, DecodingSlot?) {
    let key = Key(use.key)
    let keyType = use.keyMetatype
    switch use.member {
    case 0, 1: return ("nested", .keyed(try nested(keyType, key)))
    case 2, 3: return ("nested unkeyed", .unkeyed(try container.nestedUnkeyedContainer(forKey: key)))
    case 4: return ("super", .decoder(try container.superDecoder()))
    case 5: return ("super", .decoder(try container.superDecoder(forKey: key)))
    case 6: return ("nil \(try container.decodeNil(forKey: key))", nil)
    case 7: return ("contains \(container.contains(key))", nil)
    case 8: return ("keys \(container.allKeys.map(\.stringValue).sorted())", nil)
    default: return (try DecodedTypes.all[use.type % DecodedTypes.all.count].keyed(container, key), nil)
    }
  }

  private func nested<Nested: ScriptKey>(_ type: Nested.Type, _ key: Key) throws -> any KeyedDecodingSlot {
    KeyedDecodingSlotOf<Nested>(container: try container.nestedContainer(keyedBy: type, forKey: key))
  }
}

private protocol DecodedType: SendableMetatype {
  static var isUnordered: Bool { get }
  static func keyed<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>, _ key: Key) throws -> String
  static func unkeyed(_ container: inout any UnkeyedDecodingContainer) throws -> String
  static func single(_ container: any SingleValueDecodingContainer) throws -> String
}

private enum Required<Value: Decodable & SendableMetatype>: DecodedType {
  static var isUnordered: Bool { Value.self == [String: ScriptedValue].self || Value.self == Nested.self }
  private typealias Nested = [[String: [ScriptedValue]]]

  static func keyed<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>, _ key: Key) throws -> String {
    text(try container.decode(Value.self, forKey: key))
  }
  static func unkeyed(_ container: inout any UnkeyedDecodingContainer) throws -> String {
    text(try container.decode(Value.self))
  }
  static func single(_ container: any SingleValueDecodingContainer) throws -> String {
    text(try container.decode(Value.self))
  }
}

private enum IfPresent<Value: Decodable & SendableMetatype>: DecodedType {
  static var isUnordered: Bool { false }

  static func keyed<Key: CodingKey>(_ container: KeyedDecodingContainer<Key>, _ key: Key) throws -> String {
    text(try container.decodeIfPresent(Value.self, forKey: key) as Any)
  }
  static func unkeyed(_ container: inout any UnkeyedDecodingContainer) throws -> String {
    text(try container.decodeIfPresent(Value.self) as Any)
  }
  static func single(_ container: any SingleValueDecodingContainer) throws -> String {
    text(try container.decode(Value?.self) as Any)
  }
}

private func text(_ value: Any) -> String {
  switch value {
  case let value as [String: Any]: CanonicalText.dictionary(value.map { ($0, text($1)) })
  case let value as [Any]: CanonicalText.array(value.map(text))
  case let value as Data: CanonicalText.data(value)
  case let value as Date: CanonicalText.date(value)
  case is ScriptedValue: "scripted"
  default: "\(value)"
  }
}

private enum DecodedTypes {
  static let all: [any DecodedType.Type] = [
    Required<Int>.self, Required<String>.self, Required<ScriptedValue>.self, Required<Bool>.self,
    Required<Double>.self, Required<Date>.self, Required<Data>.self, Required<UInt8>.self, Required<Int8>.self,
    Required<UInt64>.self, Required<Float>.self, Required<[Int]>.self, Required<[String]>.self,
    Required<[String: Int]>.self, Required<[ScriptedValue]>.self, Required<[String: ScriptedValue]>.self,
    Required<[Double?]>.self, Required<[[String: [ScriptedValue]]]>.self,
    IfPresent<Int>.self, IfPresent<String>.self, IfPresent<ScriptedValue>.self, IfPresent<Bool>.self,
    IfPresent<Double>.self, IfPresent<[ScriptedValue]>.self, IfPresent<Data>.self, IfPresent<Date>.self,
  ]
}
