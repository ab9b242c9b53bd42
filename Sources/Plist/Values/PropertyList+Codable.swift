#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Coding with coders of other modules, such as `JSONEncoder`.
///
/// The native type of a decoded value depends on the types that the coder's format distinguishes. The coder encodes
/// dates and data with its own strategies, so dates and data from JSON decode as numbers and strings. A UID is encoded
/// as a dictionary with the one key `CF$UID`; such a dictionary is decoded as a UID.
extension PropertyList: Codable {
  /// Encodes the value as its native type, and null with `encodeNil()`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .dictionary(let dictionary): try dictionary.encode(to: encoder)
    case .uid(let value): try value.encode(to: encoder)
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .string(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .real(let value): try container.encode(value)
      case .boolean(let value): try container.encode(value)
      case .date(let value): try container.encode(value)
      case .data(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }

  /// Decodes a value of any native type.
  ///
  /// Whole numbers decode as integers, even if the decoder does not distinguish integers from reals.
  public init(from decoder: any Decoder) throws {
    if let value = try Self.decodeSingleValue(decoder) {
      self = value
    } else if let container = try? decoder.container(keyedBy: PropertyListCodingKey.self) {
      let uid = PropertyListCodingKey(stringValue: PropertyListUID.dictionaryKey)
      if container.allKeys.map(\.stringValue) == [uid.stringValue], let value = try? PropertyListUID(from: decoder) {
        self = .uid(value)
      } else {
        self = .dictionary(try PropertyListDictionary(from: decoder))
      }
    } else {
      var container = try decoder.unkeyedContainer()
      var elements: [PropertyList] = []
      while !container.isAtEnd { elements.append(try container.decode(PropertyList.self)) }
      self = .array(elements)
    }
  }

  /// Tries to decode a scalar as each native type in turn, and returns nil for containers.
  ///
  /// Numbers and strings come before dates and data, because JSON decoders can decode dates and data from numbers and
  /// strings. Property-list decoders distinguish numbers, strings, dates and data.
  private static func decodeSingleValue(_ decoder: any Decoder) throws -> PropertyList? {
    guard let container = try? decoder.singleValueContainer() else { return nil }
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .boolean(value) }
    if let value = try? container.decode(Int64.self) { return .integer(PropertyListInteger(value)) }
    if let value = try? container.decode(UInt64.self) { return .integer(PropertyListInteger(value)) }
    if let value = try? container.decode(Double.self) { return .real(value) }
    if let value = try? container.decode(String.self) { return .string(value) }
    if let value = try? container.decode(Date.self) { return .date(value) }
    if let value = try? container.decode(Data.self) { return .data(value) }
    return nil
  }
}
