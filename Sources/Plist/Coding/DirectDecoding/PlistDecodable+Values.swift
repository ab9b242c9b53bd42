#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension String: PlistDecodable {
  /// Decodes a string.
  public init(from decoder: inout PlistValueDecoder) throws {
    self = try decoder.read { (state, value) throws(DecodingFault) in try state.string(value) }
  }
}

extension Bool: PlistDecodable {
  /// Decodes a boolean.
  public init(from decoder: inout PlistValueDecoder) throws {
    self = try decoder.read { (state, value) throws(DecodingFault) in try state.bool(value) }
  }
}

extension Double: PlistDecodable {
  /// Decodes a real or an integer.
  public init(from decoder: inout PlistValueDecoder) throws {
    self = try decoder.read { (state, value) throws(DecodingFault) in try state.double(value) }
  }
}

extension Float: PlistDecodable {
  /// Decodes a real or an integer.
  public init(from decoder: inout PlistValueDecoder) throws {
    self = try decoder.read { (state, value) throws(DecodingFault) in try state.float(value) }
  }
}

extension Date: PlistDecodable {
  /// Decodes a date.
  public init(from decoder: inout PlistValueDecoder) throws {
    self = try decoder.read { (state, value) throws(DecodingFault) in try state.date(value) }
  }
}

extension Data: PlistDecodable {
  /// Decodes data.
  public init(from decoder: inout PlistValueDecoder) throws {
    self = try decoder.read { (state, value) throws(DecodingFault) in try state.data(value) }
  }
}

extension PropertyListUID: PlistDecodable {
  /// Decodes a UID.
  public init(from decoder: inout PlistValueDecoder) throws {
    self = try decoder.read { (state, value) throws(DecodingFault) in try state.uid(value) }
  }
}

extension PropertyList: PlistDecodable {
  /// Decodes a value of any type.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.decode(codable: Self.self) }
}

extension PropertyListDictionary: PlistDecodable {
  /// Decodes a dictionary.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.decode(codable: Self.self) }
}

extension PropertyListInteger: PlistDecodable {
  /// Decodes an integer of any size.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.decode(codable: Self.self) }
}

extension URL: PlistDecodable {
  /// Decodes a URL in the form that `Codable` uses.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.decode(codable: Self.self) }
}

extension UUID: PlistDecodable {
  /// Decodes a UUID in the form that `Codable` uses.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.decode(codable: Self.self) }
}

extension PlistValueDecoder {
  fileprivate mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    try read { (state, value) throws(DecodingFault) in try state.integer(value, as: type) }
  }
}

extension Int: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

extension Int8: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

extension Int16: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

extension Int32: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

extension Int64: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

extension UInt: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

extension UInt8: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

extension UInt16: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

extension UInt32: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

extension UInt64: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: PlistDecodable {
  /// Decodes an integer, or a real that is a whole number, if the type can represent the number.
  public init(from decoder: inout PlistValueDecoder) throws { self = try decoder.integer(Self.self) }
}
