#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoder that distinguishes ``PropertyList/null`` from nil.
protocol NullEncoder: Encoder {
  func encodeNull() throws
}

/// The conformance for coders from other modules, such as `JSONEncoder`.
///
/// A round trip preserves only the types that the coder's format can distinguish. By default, `JSONEncoder` writes
/// dates as numbers and data as strings, so they are decoded as numbers and strings. A UID is encoded as a dictionary
/// whose only key is `CF$UID`, and a dictionary of this form is decoded as a UID.
extension PropertyList: Codable {
  /// Encodes the value as its native type, or with `encodeNil()` if it is null.
  ///
  /// In binary documents and JSON, ``PlistEncoder`` writes null as null, whatever it writes for nil. XML and OpenStep
  /// text have no null, so ``PlistEncoder/nilEncodingStrategy-swift.property`` determines what is written there: by
  /// default, the string `$null`, which is decoded as a string.
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
  /// If the decoder does not distinguish integers from reals, whole numbers become integers.
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
