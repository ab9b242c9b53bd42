#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoder that distinguishes ``PropertyList/null`` from nil.
protocol NullEncoder: Encoder {
  func encodeNull() throws
}

/// Conformance to `Codable`, for coders of other modules such as `JSONEncoder`.
///
/// The native type of a decoded value depends on the types that the coder's format distinguishes. By default,
/// `JSONEncoder` encodes a date as a number, so the date decodes as a number. By default, `JSONEncoder` encodes data as
/// a string, so the data decodes as a string. A UID is encoded as a dictionary with the one key `CF$UID`, and a
/// dictionary with only this key is decoded as a UID.
extension PropertyList: Codable {
  /// Encodes the value as its native type, and null with `encodeNil()`.
  ///
  /// ``PlistEncoder`` writes null as null in binary documents and JSON, unlike nil. XML and OpenStep text have no null;
  /// there, ``PlistEncoder/nilEncodingStrategy-swift.property`` determines what is written, by default the string
  /// `$null`. If that is decoded as a ``PropertyList``, the result is a string, not null.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .dictionary(let dictionary): try dictionary.encode(to: encoder)
    case .uid(let value): try value.encode(to: encoder)
    default:
      if case .null = self, let encoder = encoder as? any NullEncoder { return try encoder.encodeNull() }
      var container = encoder.singleValueContainer()
      try encodeScalar(to: &container)
    }
  }

  /// Decodes a value of any native type.
  ///
  /// If the decoder does not distinguish integers from reals, a whole number decodes as an integer.
  public init(from decoder: any Decoder) throws {
    if let value = Self(scalarFrom: decoder) {
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
}
