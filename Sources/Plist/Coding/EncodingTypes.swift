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
    case strings, integers, reals, stringsByKey
    /// An array, or a dictionary whose keys are strings.
    case container
    case propertyList, propertyListDictionary
  }

  /// What is known of a type.
  struct Entry {
    fileprivate let type: ObjectIdentifier
    let kind: Kind
    /// The type, where it is a container whose elements are encoded here.
    let container: (any DirectlyEncodable.Type)?
  }

  /// The types that became known last, two for each remainder of the addresses.
  private var recent: [Entry?] = Array(repeating: nil, count: 2 * 64)

  /// Which of ``recent`` a type is in, or the next.
  @inline(__always)
  private static func slot(of type: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: type)
    return 2 * Int(truncatingIfNeeded: (address >> 3 ^ address >> 9) & 63)
  }

  /// The kind of `type`.
  @inline(__always)
  mutating func kind(of type: Any.Type) -> Kind {
    let identifier = ObjectIdentifier(type)
    let slot = Self.slot(of: identifier)
    if let found = recent[slot], found.type == identifier { return found.kind }
    if let found = recent[slot &+ 1], found.type == identifier { return found.kind }
    return newEntry(of: type, slot).kind
  }

  /// The type of a value whose kind is ``Kind/container``.
  mutating func container(_ type: Any.Type) -> (any DirectlyEncodable.Type)? {
    let identifier = ObjectIdentifier(type)
    let slot = Self.slot(of: identifier)
    if let found = recent[slot], found.type == identifier { return found.container }
    if let found = recent[slot &+ 1], found.type == identifier { return found.container }
    return newEntry(of: type, slot).container
  }

  @inline(never)
  private mutating func newEntry(of type: Any.Type, _ slot: Int) -> Entry {
    let identifier = ObjectIdentifier(type)
    let container = type as? any DirectlyEncodable.Type
    let kind = Self.known[identifier] ?? (container == nil ? .ordinary : .container)
    let entry = Entry(type: identifier, kind: kind, container: container)
    recent[slot + 1] = recent[slot]
    recent[slot] = entry
    return entry
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
    ObjectIdentifier([Double].self): .reals, ObjectIdentifier([String: String].self): .stringsByKey,
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
    case .ordinary, .strings, .integers, .reals, .stringsByKey, .container, .propertyList, .propertyListDictionary:
      return nil
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

/// A container of the standard library whose elements are encoded without a call of its `encode(to:)`.
protocol DirectlyEncodable {
  /// Encodes the elements of `value`, which is of this type.
  static func encode<Value>(elementsOf value: Value, to scope: EncodingScope) throws
}

extension Array: DirectlyEncodable where Element: Encodable {
  static func encode<Value>(elementsOf value: Value, to scope: EncodingScope) throws {
    let state = scope.state
    let place = state.core.beginArray(at: scope.place)
    // Not copied one by one, as in a loop over the array; the caller holds the value.
    try state.encode(BorrowedArray<Element>(of: value), at: place)
  }
}

/// No key strategy changes the keys, as with Foundation's coders.
extension Dictionary: DirectlyEncodable where Key == String, Value: Encodable {
  static func encode<Whole>(elementsOf value: Whole, to scope: EncodingScope) throws {
    let state = scope.state
    let place = state.core.beginDictionary(nil, at: scope.place)
    let kind = state.core.types.kind(of: Value.self)
    for (key, value) in known(value, as: Self.self) {
      try state.encode(value, kind, for: PassingString(key), PlistCodingKey.name(key), at: place)
    }
  }
}
