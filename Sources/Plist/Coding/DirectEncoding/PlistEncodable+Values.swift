#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension String: PlistEncodable {
  /// Encodes a string.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(self) }
}

extension Bool: PlistEncodable {
  /// Encodes a boolean.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(self)) }
}

extension Double: PlistEncodable {
  /// Encodes a real.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(self)) }
}

extension Float: PlistEncodable {
  /// Encodes a real.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(self)) }
}

extension Date: PlistEncodable {
  /// Encodes a date.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(self)) }
}

extension Data: PlistEncodable {
  /// Encodes data.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(self) }
}

extension PropertyListUID: PlistEncodable {
  /// Encodes a UID.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(self)) }
}

extension PropertyList: PlistEncodable {
  /// Encodes a value of any type.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    switch self {
    case .string(let value): try value.encode(to: &encoder)
    case .boolean(let value): try value.encode(to: &encoder)
    case .integer(let value): try value.encode(to: &encoder)
    case .real(let value): try encoder.write(TapeScalar(.real, value.bitPattern))
    case .date(let value): try value.encode(to: &encoder)
    case .data(let value): try value.encode(to: &encoder)
    case .uid(let value): try value.encode(to: &encoder)
    case .null: try encoder.encode(null: .explicitNull)
    case .dictionary(let value): try value.encode(to: &encoder)
    case .array: try encoder.encode(codable: self)
    }
  }
}

extension PropertyListDictionary: PlistEncodable {
  /// Encodes a dictionary without converting its keys.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    guard encoder.expectation == .pairs else { return try encoder.encode(codable: self) }
    try encoder.encodeDictionary { dictionary in
      for (key, value) in self { try dictionary.encode(value, forNewKey: key) }
    }
  }
}

extension PropertyListInteger: PlistEncodable {
  /// Encodes an integer of any size.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(self)) }
}

extension URL: PlistEncodable {
  /// Encodes a URL in the form that `Codable` uses.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.encode(codable: self) }
}

extension UUID: PlistEncodable {
  /// Encodes a UUID in the form that `Codable` uses.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.encode(codable: self) }
}

extension Int: PlistEncodable {
  /// Encodes an integer.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(self)) }
}

extension Int8: PlistEncodable {
  /// Encodes an integer.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(signed: self, .int8)) }
}

extension Int16: PlistEncodable {
  /// Encodes an integer.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(signed: self, .int16)) }
}

extension Int32: PlistEncodable {
  /// Encodes an integer.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(signed: self, .int32)) }
}

extension Int64: PlistEncodable {
  /// Encodes an integer.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(TapeScalar(signed: self, .int64)) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: PlistEncodable {
  /// Encodes an integer, or throws an error if the integer needs more than 64 bits.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(wide: self, .int128) }
}

extension UInt: PlistEncodable {
  /// Encodes an integer.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.write(TapeScalar(unsigned: self, .uint))
  }
}

extension UInt8: PlistEncodable {
  /// Encodes an integer.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.write(TapeScalar(unsigned: self, .uint8))
  }
}

extension UInt16: PlistEncodable {
  /// Encodes an integer.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.write(TapeScalar(unsigned: self, .uint16))
  }
}

extension UInt32: PlistEncodable {
  /// Encodes an integer.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.write(TapeScalar(unsigned: self, .uint32))
  }
}

extension UInt64: PlistEncodable {
  /// Encodes an integer.
  public func encode(to encoder: inout PlistValueEncoder) throws {
    try encoder.write(TapeScalar(unsigned: self, .uint64))
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: PlistEncodable {
  /// Encodes an integer, or throws an error if the integer needs more than 64 bits.
  public func encode(to encoder: inout PlistValueEncoder) throws { try encoder.write(wide: self, .uint128) }
}
