#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value on an ``EncodingTape``, with its key and its links to other entries.
struct TapeEntry {
  enum Kind: UInt8 {
    case nothing
    case string
    /// A short string in ``EncodingTape/copiedTexts``.
    case copiedString
    case integer, unsigned, real, double, float, boolean, date, data, uid, null
    /// A decimal number whose digits are in ``EncodingTape/texts``.
    case decimal
    /// An array of scalars, stored as a ``TapeArray``.
    case scalars
    case array, dictionary

    var isContainer: Bool { rawValue >= Kind.array.rawValue }

    /// The name to use in the error if a value of this kind cannot be the root of an XML or binary document; otherwise
    /// nil.
    var fragmentName: String? {
      switch self {
      case .string, .copiedString: "string"
      case .integer, .unsigned, .real, .double, .float, .decimal: "number"
      case .boolean: "boolean"
      case .date: "date"
      case .null: "null"
      case .nothing, .data, .uid, .scalars, .array, .dictionary: nil
      }
    }
  }

  /// The bits of the value; see ``TapeScalar``.
  private(set) var payload: UInt64
  /// The converted key's index in the ``KeyTable``, or the bitwise complement of its index in ``EncodingTape/texts`` if
  /// the key is not in the table.
  let key: Int32
  /// The original key's index, in the same form as ``key``, or the element's position in an array.
  var original: Int32
  /// The next entry in the container, or −1.
  var next: Int32 = -1
  /// The previous entry with the same key in any container, or −1.
  let earlier: Int32
  /// The entry's container, or −1 for the root.
  let parent: Int32
  private(set) var kind: Kind
  private var integerType: TapeScalar.IntegerType

  init() { self.init(TapeScalar(), key: -1, original: -1, earlier: -1, parent: -1) }

  init(_ scalar: TapeScalar, key: Int32, original: Int32, earlier: Int32, parent: Int32) {
    payload = scalar.payload
    kind = scalar.kind
    integerType = scalar.integerType
    self.key = key
    self.original = original
    self.earlier = earlier
    self.parent = parent
  }

  /// The entry's scalar, whose payload is the container's index if the entry is a container.
  var scalar: TapeScalar {
    get { TapeScalar(kind, payload, integerType) }
    set { (payload, kind, integerType) = (newValue.payload, newValue.kind, newValue.integerType) }
  }
}

/// A value on an ``EncodingTape``, without its key and links.
struct TapeScalar {
  /// The Swift type of an integer, for errors that contain the integer.
  enum IntegerType: UInt8 {
    case propertyListInteger, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, int128, uint128
  }

  let kind: TapeEntry.Kind
  let integerType: IntegerType
  /// The bits of a number, date, boolean or UID, or the index of a text, data, array or container; for null, 1 means
  /// ``PropertyList/null`` and 0 means nil.
  ///
  /// For a copied string, the low 16 bits are the byte count, and the other bits are the offset of the first byte.
  let payload: UInt64

  init(_ kind: TapeEntry.Kind = .nothing, _ payload: UInt64 = 0, _ integerType: IntegerType = .propertyListInteger) {
    self.kind = kind
    self.payload = payload
    self.integerType = integerType
  }

  /// Nil, which is written according to the encoder's strategy.
  static let null = TapeScalar(.null, 0)

  /// ``PropertyList/null``, which is written as null if the format supports it, and otherwise like nil.
  static let explicitNull = TapeScalar(.null, 1)

  var isExplicitNull: Bool { kind == .null && payload == 1 }

  init(_ value: Double) { self.init(.double, value.bitPattern) }

  init(_ value: Float) { self.init(.float, UInt64(value.bitPattern)) }

  init(_ value: Bool) { self.init(.boolean, value ? 1 : 0) }

  init(_ value: Date) { self.init(.date, value.timeIntervalSinceReferenceDate.bitPattern) }

  init(_ value: PropertyListUID) { self.init(.uid, UInt64(value.value)) }

  init(_ value: Int) { self.init(signed: value, .int) }

  init(signed value: some FixedWidthInteger & SignedInteger, _ type: IntegerType) {
    self.init(.integer, UInt64(bitPattern: Int64(truncatingIfNeeded: value)), type)
  }

  init(unsigned value: some FixedWidthInteger & UnsignedInteger, _ type: IntegerType) {
    self.init(.unsigned, UInt64(truncatingIfNeeded: value), type)
  }

  init?(wide value: some BinaryInteger, _ type: IntegerType) {
    guard let integer = PropertyListInteger(exactly: value) else { return nil }
    self.init(integer, type)
  }

  init(_ value: PropertyListInteger, _ type: IntegerType = .propertyListInteger) {
    self.init(value.isNegative ? .integer : .unsigned, value.bits, type)
  }

  var integer: PropertyListInteger {
    kind == .integer ? PropertyListInteger(Int64(bitPattern: payload)) : PropertyListInteger(payload)
  }

  var callersInteger: Any {
    switch integerType {
    case .propertyListInteger: integer
    case .int: Int(truncatingIfNeeded: payload)
    case .int8: Int8(truncatingIfNeeded: payload)
    case .int16: Int16(truncatingIfNeeded: payload)
    case .int32: Int32(truncatingIfNeeded: payload)
    case .int64: Int64(truncatingIfNeeded: payload)
    case .uint: UInt(truncatingIfNeeded: payload)
    case .uint8: UInt8(truncatingIfNeeded: payload)
    case .uint16: UInt16(truncatingIfNeeded: payload)
    case .uint32: UInt32(truncatingIfNeeded: payload)
    case .uint64: payload
    case .int128:
      if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { Int128(clamping: integer) } else { integer }
    case .uint128:
      if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
        UInt128(clamping: integer)
      } else {
        integer
      }
    }
  }

  /// The value as the type that the caller encoded, or nil for null or if its contents are stored elsewhere.
  var callersScalar: Any {
    switch kind {
    case .integer, .unsigned: callersInteger
    case .real, .double: Double(bitPattern: payload)
    case .float: Float(bitPattern: UInt32(truncatingIfNeeded: payload))
    case .boolean: payload != 0
    case .date: Date(timeIntervalSinceReferenceDate: Double(bitPattern: payload))
    case .uid: PropertyListUID(UInt32(truncatingIfNeeded: payload))
    case .string, .copiedString, .data, .nothing, .null, .decimal, .scalars, .array, .dictionary: Any?.none as Any
    }
  }
}

extension TapeScalar {
  /// Passes a scalar to `visitor`, unless it is text or data, whose bytes are stored elsewhere.
  @inline(__always)
  func show<Visitor: PropertyListVisitor & ~Copyable>(to visitor: inout Visitor) throws(Visitor.Failure) {
    switch kind {
    case .integer, .unsigned: try visitor.scalar(.integer(integer))
    case .real: try visitor.scalar(.real(Double(bitPattern: payload)))
    case .double: try visitor.scalar(.double(Double(bitPattern: payload)))
    case .float: try visitor.scalar(.float(Float(bitPattern: UInt32(truncatingIfNeeded: payload))))
    case .boolean: try visitor.scalar(.boolean(payload != 0))
    case .date: try visitor.scalar(.date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: payload))))
    case .uid: try visitor.scalar(.uid(PropertyListUID(UInt32(truncatingIfNeeded: payload))))
    case .null: try visitor.scalar(.null)
    case .string, .copiedString, .data, .nothing, .decimal, .scalars, .array, .dictionary: break
    }
  }
}

extension EncodingTape {
  /// Returns the scalar for a property list, or ``TapeEntry/Kind/nothing`` for a container.
  func scalar(_ list: PropertyList) -> TapeScalar {
    switch list {
    case .string(let value): scalar(value)
    case .integer(let value): TapeScalar(value)
    case .real(let value): TapeScalar(.real, value.bitPattern)
    case .boolean(let value): TapeScalar(value)
    case .date(let value): TapeScalar(value)
    case .data(let value): scalar(value)
    case .uid(let value): TapeScalar(value)
    case .null: .explicitNull
    case .array, .dictionary: TapeScalar()
    }
  }

  func scalar(_ text: String) -> TapeScalar {
    if copiesText, let bytes = copiedTexts.append(text, upTo: Self.longestCopiedText) {
      return TapeScalar(.copiedString, UInt64(bytes.lowerBound) << 16 | UInt64(bytes.count))
    }
    texts.append(text)
    return TapeScalar(.string, UInt64(truncatingIfNeeded: texts.count &- 1))
  }

  /// Returns the scalar for a `Decimal` in JSON, with all its digits.
  func scalar(_ decimal: Decimal) -> TapeScalar {
    if decimal.isNaN { return TapeScalar(Double.nan) }
    let digits = decimal.description
    if let integer = PropertyListInteger(digits) { return TapeScalar(integer) }
    texts.append(digits)
    return TapeScalar(.decimal, UInt64(truncatingIfNeeded: texts.count &- 1))
  }

  func scalar(_ data: Data) -> TapeScalar {
    datas.append(data)
    return TapeScalar(.data, UInt64(truncatingIfNeeded: datas.count &- 1))
  }

  func scalar(_ array: TapeArray) -> TapeScalar {
    arrays.append(array)
    return TapeScalar(.scalars, UInt64(truncatingIfNeeded: arrays.count &- 1))
  }

  /// Calls `body` with the bytes of a copied string.
  @inline(__always)
  func withCopiedText<Value, Failure: Error>(
    of scalar: TapeScalar, _ body: (RawSpan) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let start = Int(truncatingIfNeeded: scalar.payload >> 16)
    let count = Int(truncatingIfNeeded: scalar.payload & 0xFFFF)
    return try copiedTexts.withText(in: start..<start + count, body)
  }

  func callersValue(of scalar: TapeScalar) -> Any {
    let number = Int(truncatingIfNeeded: scalar.payload)
    return switch scalar.kind {
    case .string: texts[number]
    case .decimal: Decimal(string: texts[number]) ?? .nan
    case .copiedString: withCopiedText(of: scalar) { String(utf8: $0) }
    case .data: datas[number]
    case .scalars: arrays[number].value
    default: scalar.callersScalar
    }
  }
}

/// An array of scalars of one type, stored as the caller's own array.
enum TapeArray {
  case strings([String])
  case integers([Int])
  case reals([Double])

  var value: Any {
    switch self {
    case .strings(let elements): elements
    case .integers(let elements): elements
    case .reals(let elements): elements
    }
  }

  func element(_ index: Int) -> Any {
    switch self {
    case .strings(let elements): elements[index]
    case .integers(let elements): elements[index]
    case .reals(let elements): elements[index]
    }
  }
}

/// The children of an array or dictionary on an ``EncodingTape``.
struct TapeContainer {
  var entry: Int32
  let isArray: Bool
  /// Whether a keyed container has been opened for a dictionary that was encoded without one, which moves all its keys
  /// into the ``KeyTable``.
  var isReopened = false
  /// The last child before the pairs of a Swift `Dictionary`, which are sorted when they are written.
  ///
  /// It is −1 if no child comes before those pairs, and ``inOrder`` if there are no pairs to sort.
  var lastBeforePairs = inOrder
  /// The number of entries on the tape when the container began; no child has a smaller index.
  let start: Int32
  /// The depth, which is 1 for the outermost container and at most `UInt16.max`.
  let depth: UInt16
  /// The first and last children, or −1.
  var first: Int32 = -1
  var last: Int32 = -1
  var count: Int32 = 0
  /// The last key that was encoded.
  ///
  /// Before the first key, this is ``unknownKeys`` or the bitwise complement of the coding-key type's hash value.
  var lastKey = unknownKeys
  /// The key predicted to come next, or −1.
  var expectedKey: Int32 = -1

  static let unknownKeys = Int32.min
  static let inOrder: Int32 = -2
}
