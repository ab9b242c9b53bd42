#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which of the types that are encoded need no call of their `encode(to:)`.
struct EncodingTypes {
  enum Kind: UInt8 {
    /// None of the following: the value encodes itself.
    case ordinary
    case date, data, uid, string, boolean, double, float, propertyListInteger
    case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64
    case strings, integers, reals
    /// A dictionary whose keys are strings, which no strategy changes.
    case stringKeyed
    case propertyList, propertyListDictionary
  }

  /// The kinds of types looked up last.
  private var recent: [(type: ObjectIdentifier, kind: Kind)?] = Array(repeating: nil, count: 64)

  /// The kind of `type`.
  @inline(__always)
  mutating func kind(of type: Any.Type) -> Kind {
    let identifier = ObjectIdentifier(type)
    let slot = Int(truncatingIfNeeded: UInt(bitPattern: identifier) >> 4 ^ UInt(bitPattern: identifier) >> 10) & 63
    if let found = recent[slot], found.type == identifier { return found.kind }
    let kind = Self.known[identifier] ?? (type is any StringKeyedEncodable.Type ? .stringKeyed : .ordinary)
    recent[slot] = (identifier, kind)
    return kind
  }

  private static let known: [ObjectIdentifier: Kind] = [
    ObjectIdentifier(Date.self): .date, ObjectIdentifier(Data.self): .data,
    ObjectIdentifier(PropertyListUID.self): .uid, ObjectIdentifier(String.self): .string,
    ObjectIdentifier(Bool.self): .boolean, ObjectIdentifier(Double.self): .double, ObjectIdentifier(Float.self): .float,
    ObjectIdentifier(PropertyListInteger.self): .propertyListInteger,
    ObjectIdentifier(Int.self): .int, ObjectIdentifier(Int8.self): .int8, ObjectIdentifier(Int16.self): .int16,
    ObjectIdentifier(Int32.self): .int32, ObjectIdentifier(Int64.self): .int64, ObjectIdentifier(UInt.self): .uint,
    ObjectIdentifier(UInt8.self): .uint8, ObjectIdentifier(UInt16.self): .uint16,
    ObjectIdentifier(UInt32.self): .uint32, ObjectIdentifier(UInt64.self): .uint64,
    ObjectIdentifier([String].self): .strings, ObjectIdentifier([Int].self): .integers,
    ObjectIdentifier([Double].self): .reals,
    ObjectIdentifier(PropertyList.self): .propertyList,
    ObjectIdentifier(PropertyListDictionary.self): .propertyListDictionary,
  ]
}

extension EncodedScalar {
  /// The value of a type of the given kind, or nil where it is a container.
  @inline(__always)
  init?<Value>(_ value: Value, _ kind: EncodingTypes.Kind) {
    switch kind {
    case .date: self = .date(known(value, as: Date.self))
    case .data: self = .data(known(value, as: Data.self))
    case .uid: self = .uid(known(value, as: PropertyListUID.self))
    case .string: self = .string(known(value, as: String.self))
    case .boolean: self = .boolean(known(value, as: Bool.self))
    case .double: self = .real(known(value, as: Double.self))
    case .float: self = .float(known(value, as: Float.self))
    case .propertyListInteger: self = .integer(known(value, as: PropertyListInteger.self))
    case .int: self.init(known(value, as: Int.self))
    case .int8: self.init(known(value, as: Int8.self))
    case .int16: self.init(known(value, as: Int16.self))
    case .int32: self.init(known(value, as: Int32.self))
    case .int64: self.init(known(value, as: Int64.self))
    case .uint: self.init(known(value, as: UInt.self))
    case .uint8: self.init(known(value, as: UInt8.self))
    case .uint16: self.init(known(value, as: UInt16.self))
    case .uint32: self.init(known(value, as: UInt32.self))
    case .uint64: self.init(known(value, as: UInt64.self))
    case .ordinary, .strings, .integers, .reals, .stringKeyed, .propertyList, .propertyListDictionary: return nil
    }
  }

  /// An integer of at most 64 bits.
  @inline(__always)
  init(_ value: some FixedWidthInteger & SignedInteger) {
    self = .integer(PropertyListInteger(Int64(truncatingIfNeeded: value)))
  }

  /// An integer of at most 64 bits.
  @inline(__always)
  init(_ value: some FixedWidthInteger & UnsignedInteger) {
    self = .integer(PropertyListInteger(UInt64(truncatingIfNeeded: value)))
  }
}

/// A dictionary whose keys are strings, which are written as they are.
protocol StringKeyedEncodable {
  /// Encodes the pairs.
  func encodePairs(to scope: EncodingScope) throws
}

extension Dictionary: StringKeyedEncodable where Key == String, Value: Encodable {
  func encodePairs(to scope: EncodingScope) throws {
    let state = scope.state
    let place = state.beginDictionary(nil, at: scope.place)
    for (key, value) in self { try state.encode(value, for: key, PlistCodingKey.name(key), at: place) }
  }
}

/// What stands for such a dictionary where values encode themselves.
struct StringKeyedPairs: Encodable {
  let dictionary: any StringKeyedEncodable

  func encode(to encoder: any Encoder) throws {
    guard let scope = encoder as? EncodingScope else { return }
    try dictionary.encodePairs(to: scope)
  }
}
