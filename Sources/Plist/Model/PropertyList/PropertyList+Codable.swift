#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoder that keeps ``PropertyList/null`` apart from nil.
protocol NullEncoder: Encoder {
  func encodeNull() throws
}

/// For coders of other modules such as `JSONEncoder`.
///
/// What comes back depends on what the coder's format can tell apart: by default, `JSONEncoder` writes a date as a
/// number and data as a string, and so they decode. A UID is a dictionary with the one key `CF$UID`, and such a
/// dictionary decodes as a UID.
extension PropertyList: Codable {
  /// Encodes the value as its native type, and null with `encodeNil()`.
  ///
  /// ``PlistEncoder`` writes null as null in binary documents and JSON, unlike nil. XML and OpenStep text have no null;
  /// there, ``PlistEncoder/nilEncodingStrategy-swift.property`` says what is written, by default the string `$null`,
  /// which decodes as a string.
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
  /// If the decoder does not tell integers from reals, a whole number is an integer.
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
