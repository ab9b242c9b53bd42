#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cache of facts about types, such as whether the encoder needs to call their `encode(to:)`.
final class BuiltInTypes {
  enum Kind: UInt8 {
    case ordinary
    case date, data, uid, string, boolean, double, float, propertyListInteger
    case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64
    case strings, integers, reals
    case propertyList, propertyListDictionary
    /// A type that is encoded differently in JSON.
    case url, decimal
    /// An array, or a dictionary whose keys are strings.
    case elementwise
  }

  struct Entry {
    fileprivate let type: ObjectIdentifier
    let kind: Kind
    let elementwise: (any ElementwiseEncodable.Type)?
    /// The type, if it is ``PlistEncodable`` and not built in.
    let direct: (any PlistEncodable.Type)?
    /// How many elements belong together if the type is a `Set` or `Dictionary` encoded as an array; 0 for all other
    /// types.
    let unorderedStride: Int
  }

  /// A hash table of types by address, with the two most recently added types in each bucket.
  private let recent = Arena<Entry>(capacity: 2 * 64)

  init() {
    for _ in 0..<2 * 64 {
      recent.append(
        Entry(type: ObjectIdentifier(Never.self), kind: .ordinary, elementwise: nil, direct: nil, unorderedStride: 0))
    }
  }

  @inline(__always)
  func entry(for type: Any.Type) -> Entry {
    let identifier = ObjectIdentifier(type)
    let address = UInt(bitPattern: identifier)
    let slot = 2 &* (Int(truncatingIfNeeded: address >> 3 ^ address >> 9) & 63)
    if recent[slot].type == identifier { return recent[slot] }
    if recent[slot &+ 1].type == identifier { return recent[slot &+ 1] }
    return newEntry(for: type, slot)
  }

  @inline(never)
  private func newEntry(for type: Any.Type, _ slot: Int) -> Entry {
    let identifier = ObjectIdentifier(type)
    let kind = Self.kinds[identifier]
    let elementwise = kind == nil ? type as? any ElementwiseEncodable.Type : nil
    let entry = Entry(
      type: identifier, kind: kind ?? (elementwise == nil ? .ordinary : .elementwise), elementwise: elementwise,
      direct: kind == nil ? type as? any PlistEncodable.Type : nil,
      unorderedStride: kind == nil ? (type as? any UnorderedCollection.Type)?.stride ?? 0 : 0)
    recent[slot + 1] = recent[slot]
    recent[slot] = entry
    return entry
  }

  private static let kinds: [ObjectIdentifier: Kind] = [
    ObjectIdentifier(Date.self): .date, ObjectIdentifier(Data.self): .data,
    ObjectIdentifier(PropertyListUID.self): .uid, ObjectIdentifier(String.self): .string,
    ObjectIdentifier(Bool.self): .boolean, ObjectIdentifier(Double.self): .double, ObjectIdentifier(Float.self): .float,
    ObjectIdentifier(PropertyListInteger.self): .propertyListInteger,
    ObjectIdentifier(Int.self): .int, ObjectIdentifier(Int8.self): .int8, ObjectIdentifier(Int16.self): .int16,
    ObjectIdentifier(Int32.self): .int32, ObjectIdentifier(Int64.self): .int64, ObjectIdentifier(UInt.self): .uint,
    ObjectIdentifier(UInt8.self): .uint8, ObjectIdentifier(UInt16.self): .uint16,
    ObjectIdentifier(UInt32.self): .uint32, ObjectIdentifier(UInt64.self): .uint64,
    ObjectIdentifier([String].self): .strings, ObjectIdentifier([Int].self): .integers,
    ObjectIdentifier([Double].self): .reals, ObjectIdentifier(PropertyList.self): .propertyList,
    ObjectIdentifier(PropertyListDictionary.self): .propertyListDictionary, ObjectIdentifier(URL.self): .url,
    ObjectIdentifier(Decimal.self): .decimal,
  ]
}

extension EncodingTape {
  @inline(__always)
  func scalar<Value>(_ value: Value, _ kind: BuiltInTypes.Kind) -> TapeScalar? {
    switch kind {
    case .date: TapeScalar(sameType(value, as: Date.self))
    case .data: scalar(sameType(value, as: Data.self))
    case .uid: TapeScalar(sameType(value, as: PropertyListUID.self))
    case .string: scalar(sameType(value, as: String.self))
    case .boolean: TapeScalar(sameType(value, as: Bool.self))
    case .double: TapeScalar(sameType(value, as: Double.self))
    case .float: TapeScalar(sameType(value, as: Float.self))
    case .propertyListInteger: TapeScalar(sameType(value, as: PropertyListInteger.self))
    case .int: TapeScalar(sameType(value, as: Int.self))
    case .int8: TapeScalar(signed: sameType(value, as: Int8.self), .int8)
    case .int16: TapeScalar(signed: sameType(value, as: Int16.self), .int16)
    case .int32: TapeScalar(signed: sameType(value, as: Int32.self), .int32)
    case .int64: TapeScalar(signed: sameType(value, as: Int64.self), .int64)
    case .uint: TapeScalar(unsigned: sameType(value, as: UInt.self), .uint)
    case .uint8: TapeScalar(unsigned: sameType(value, as: UInt8.self), .uint8)
    case .uint16: TapeScalar(unsigned: sameType(value, as: UInt16.self), .uint16)
    case .uint32: TapeScalar(unsigned: sameType(value, as: UInt32.self), .uint32)
    case .uint64: TapeScalar(unsigned: sameType(value, as: UInt64.self), .uint64)
    case .strings: scalar(.strings(sameType(value, as: [String].self)))
    case .integers: scalar(.integers(sameType(value, as: [Int].self)))
    case .reals: scalar(.reals(sameType(value, as: [Double].self)))
    case .url: writesJSON ? scalar(sameType(value, as: URL.self).absoluteString) : nil
    case .decimal: writesJSON ? scalar(sameType(value, as: Decimal.self)) : nil
    case .ordinary, .propertyList, .propertyListDictionary, .elementwise: nil
    }
  }
}

/// An array or dictionary whose elements are encoded without calling its `encode(to:)`.
protocol ElementwiseEncodable {
  /// Encodes the elements of `value`, which must be of type `Self`, as the children of the tape entry `entry`.
  ///
  /// After each array element, `write` is called if the tape has many entries.
  static func encode<Value>(
    elementsOf value: Value, at entry: Int32, in state: inout EncoderState, writing write: EncoderState.ElementWriting
  ) throws
}

extension Array: ElementwiseEncodable where Element: Encodable {
  static func encode<Value>(
    elementsOf value: Value, at entry: Int32, in state: inout EncoderState, writing write: EncoderState.ElementWriting
  ) throws {
    let container = state.tape.beginContainer(.array, entry)
    let type = state.types.entry(for: Element.self)
    let array = sameType(value, as: Self.self)
    let elements = array.span
    for index in elements.indices {
      try elements.withElement(at: index) { try state.encode($0, type, in: container) }
      if state.tape.hasManyEntries { write(&state) }
    }
  }
}

/// As in Foundation, key strategies do not convert the keys of a `Dictionary`.
extension Dictionary: ElementwiseEncodable where Key == String, Value: Encodable {
  static func encode<Whole>(
    elementsOf value: Whole, at entry: Int32, in state: inout EncoderState, writing write: EncoderState.ElementWriting
  ) throws {
    let container = state.tape.beginContainer(.dictionary, entry)
    let type = state.types.entry(for: Value.self)
    if state.sortsUnordered { state.tape.containers[Int(container)].lastBeforePairs = -1 }
    for (key, element) in sameType(value, as: Self.self) {
      try state.encode(element, type, forNewKey: key, in: container)
    }
  }
}

/// A collection whose iteration order differs from process to process.
private protocol UnorderedCollection {
  /// How many elements form a unit when the collection is encoded as an array.
  static var stride: Int { get }
}

extension Set: UnorderedCollection {
  fileprivate static var stride: Int { 1 }
}

extension Dictionary: UnorderedCollection {
  /// A dictionary whose keys are neither strings nor integers is encoded as an array of alternating keys and values.
  fileprivate static var stride: Int { 2 }
}

extension Dictionary where Key == String {
  /// Calls `body` with each pair, sorted by the UTF-16 code units of the keys if `sorted` is true.
  func forEachPair(sorted: Bool, _ body: (String, Value) throws -> Void) rethrows {
    guard sorted, count > 1 else {
      for (key, value) in self { try body(key, value) }
      return
    }
    // Sorting only the keys and then looking up the values is faster than sorting pairs, which takes code that is
    // generic over the value type.
    let keys = Array(keys)
    for position in keys.positionsInCodeUnitOrder() {
      if let value = self[keys[position]] { try body(keys[position], value) }
    }
  }
}
