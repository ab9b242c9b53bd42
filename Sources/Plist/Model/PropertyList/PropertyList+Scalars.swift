#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts scalars to and from tokens and events, and passes them to visitors.
///
/// Most of the switches over the kinds of scalars are in this file.
extension PropertyList {
  /// Creates the value of a scalar's token, or null for any other token.
  @inline(__always)
  init(scalar token: PlistToken, in source: PlistSource, _ bytes: RawSpan) {
    switch token.kind {
    case .string: self = .string(bytes.decodedText(token))
    case .data: self = .data(source.decodedData(token))
    case .integer, .negativeInteger: self = .integer(token.integer)
    case .real: self = .real(Double(bitPattern: token.first))
    case .date: self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: token.first)))
    case .uid: self = .uid(PropertyListUID(UInt32(truncatingIfNeeded: token.first)))
    case .booleanFalse: self = .boolean(false)
    case .booleanTrue: self = .boolean(true)
    default: self = .null
    }
  }

  init?(scalar token: PlistToken, in source: PlistSource) {
    if token.kind == .beginArray || token.kind == .beginDictionary { return nil }
    self.init(scalar: token, in: source, source.data.bytes)
  }

  /// Creates the value of a scalar event, or null for any other event.
  init(scalar event: PlistEvent) {
    switch event {
    case .string(let text): self = .string(String(text))
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .boolean(let boolean): self = .boolean(boolean)
    case .date(let date): self = .date(date)
    case .data(let bytes): self = .data(Data(bytes))
    case .uid(let uid): self = .uid(uid)
    default: self = .null
    }
  }

  init(_ scalar: PlistScalar) {
    switch scalar {
    case .integer(let integer): self = .integer(integer)
    case .real(let real), .double(let real): self = .real(real)
    case .float(let real): self = .real(Double(real))
    case .boolean(let boolean): self = .boolean(boolean)
    case .date(let date): self = .date(date)
    case .uid(let uid): self = .uid(uid)
    case .null: self = .null
    }
  }

  /// The token for a scalar or for the start of a container.
  ///
  /// The token for a string or data does not refer to any bytes.
  var token: PlistToken {
    switch self {
    case .string: PlistToken(.string)
    case .integer(let value): PlistToken(value.isNegative ? .negativeInteger : .integer, bits: value.bits)
    case .real(let value): PlistToken(.real, bits: value.bitPattern)
    case .boolean(let value): PlistToken(value ? .booleanTrue : .booleanFalse)
    case .date(let value): PlistToken(.date, bits: value.timeIntervalSinceReferenceDate.bitPattern)
    case .data: PlistToken(.data)
    case .uid(let value): PlistToken(.uid, bits: UInt64(value.value))
    case .null: PlistToken(.null)
    case .array: PlistToken(.beginArray)
    case .dictionary: PlistToken(.beginDictionary)
    }
  }

  /// Passes a scalar to `visitor`, or returns false for a container.
  @inline(__always)
  func show<Visitor: PropertyListVisitor & ~Copyable>(
    scalarTo visitor: inout Visitor
  ) throws(Visitor.Failure) -> Bool {
    switch self {
    case .string(let string):
      try visitor.checkRoom(ifLong: string.utf8.count)
      try visitor.string(string)
    case .data(let data):
      try visitor.checkRoom(ifLong: data.count)
      try visitor.data(data)
    case .integer(let integer): try visitor.scalar(.integer(integer))
    case .real(let real): try visitor.scalar(.real(real))
    case .boolean(let boolean): try visitor.scalar(.boolean(boolean))
    case .date(let date): try visitor.scalar(.date(date))
    case .uid(let uid): try visitor.scalar(.uid(uid))
    case .null: try visitor.scalar(.null)
    case .array, .dictionary: return false
    }
    return true
  }
}

extension PropertyList.Kind {
  init(of token: PlistToken) {
    self =
      switch token.kind {
      case .string, .key, .sharedKey: .string
      case .integer, .negativeInteger: .integer
      case .real: .real
      case .booleanFalse, .booleanTrue: .boolean
      case .date: .date
      case .data: .data
      case .uid: .uid
      case .beginArray, .endArray: .array
      case .beginDictionary, .endDictionary: .dictionary
      case .null, .shared, .end: .null
      }
  }
}

extension PlistEvent {
  init(scalar value: PropertyList) {
    switch value {
    case .string(let string): self = .string(PlistText(string))
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .boolean(let boolean): self = .boolean(boolean)
    case .date(let date): self = .date(date)
    case .data(let data): self = .data(PlistBytes(data))
    case .uid(let uid): self = .uid(uid)
    case .null: self = .null
    case .array, .dictionary: preconditionFailure("a single event cannot represent an array or a dictionary")
    }
  }
}

/// Comparing, hashing, describing and coding scalars.
extension PropertyList {
  func isSameScalar(as other: PropertyList) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.bitPattern == right.timeIntervalSinceReferenceDate.bitPattern
    case (.data(let left), .data(let right)): left == right
    case (.uid(let left), .uid(let right)): left == right
    case (.null, .null): true
    default: false
    }
  }

  func hashScalar(into hasher: inout Hasher) {
    switch self {
    case .string(let value):
      hasher.combine(0 as UInt8)
      value.hashBytes(into: &hasher)
    case .integer(let value):
      hasher.combine(1 as UInt8)
      hasher.combine(value)
    case .real(let value):
      hasher.combine(2 as UInt8)
      hasher.combine(value.bitPattern)
    case .boolean(let value):
      hasher.combine(3 as UInt8)
      hasher.combine(value)
    case .date(let value):
      hasher.combine(4 as UInt8)
      hasher.combine(value.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let value):
      hasher.combine(5 as UInt8)
      hasher.combine(value)
    case .uid(let value):
      hasher.combine(6 as UInt8)
      hasher.combine(value)
    case .null:
      hasher.combine(7 as UInt8)
    case .array, .dictionary:
      preconditionFailure("an array or a dictionary cannot be hashed like a scalar")
    }
  }

  func writeScalar(to text: inout String) {
    switch self {
    case .string(let value): value.writeQuoted(to: &text)
    case .integer(let value): text += value.description
    case .real(let value): text += value.description
    case .boolean(let value): text += value ? "true" : "false"
    case .date(let value): text += value.propertyListDescription
    case .data(let value): text += Self.describe(value)
    case .uid(let value): text += value.description
    case .null: text += "null"
    case .array, .dictionary: preconditionFailure("an array or a dictionary cannot be described like a scalar")
    }
  }

  func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .string(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .boolean(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .null: try container.encodeNil()
    case .uid, .array, .dictionary: preconditionFailure("a UID or a container cannot be encoded like another scalar")
    }
  }

  /// Decodes a scalar by trying each native type in turn, or returns nil for a container.
  ///
  /// Numbers and strings are tried before dates and data, because a JSON decoder can decode a number as a date and a
  /// string as data. Property-list decoders tell these types apart.
  init?(scalarFrom decoder: any Decoder) {
    guard let container = try? decoder.singleValueContainer() else { return nil }
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(PropertyListInteger(value))
    } else if let value = try? container.decode(UInt64.self) {
      self = .integer(PropertyListInteger(value))
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Date.self) {
      self = .date(value)
    } else if let value = try? container.decode(Data.self) {
      self = .data(value)
    } else {
      return nil
    }
  }
}
