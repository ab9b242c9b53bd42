#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where an encoder's values go, as they come: one of the formats' writers, or a `PropertyList`.
///
/// One type for all of them, told apart at each value: that costs a branch that is predicted, where a generic parameter
/// would cost look-ups in the containers, which the compiler cannot specialise for the keys of other modules.
struct EncodingOutput: PropertyListVisitor {
  typealias Failure = any Error

  private var xml: XMLFormatter?
  private var binary: BinaryAssembler<WholeBinaryOutput>?
  private var value: PropertyListAssembler?
  /// The lines of keys that recur, without the tabs.
  private var keyLines = ByteBuffer(capacity: 16)
  /// The string that nil is, if any.
  private let sentinel: String?

  /// Writes a document of a format, or for nil makes a value.
  init(_ format: PlistFormat?, options: PlistWriteOptions, nulls: PlistEncoder.NilEncodingStrategy) {
    sentinel = nulls.sentinel
    switch format {
    case .xml:
      xml = XMLFormatter(options: options)
      keyLines = ByteBuffer(capacity: 512)
    case .binary: binary = BinaryAssembler(output: WholeBinaryOutput())
    default: value = PropertyListAssembler()
    }
  }

  /// The bytes of the document, which is complete.
  mutating func data() throws -> Data {
    if xml != nil {
      xml?.finish()
      return xml.take()?.buffer.data() ?? Data()
    }
    try binary?.finish()
    return binary.take()?.output.buffer.data() ?? Data()
  }

  /// The value, which is complete.
  var propertyList: PropertyList? { value?.root }
}

// MARK: Values

extension EncodingOutput {
  @inline(__always)
  mutating func scalar(_ scalar: EncodedScalar) throws {
    switch scalar {
    case .string(let value): try string(value)
    case .integer(let value): try integer(value)
    case .real(let value): try real(value)
    case .float(let value): try real(value)
    case .boolean(let value): try boolean(value)
    case .date(let value): try date(value)
    case .data(let value): try data(value)
    case .uid(let value): try uid(value)
    case .null: try null()
    }
  }

  @inline(__always)
  mutating func string(_ string: String) throws {
    try xml?.string(string)
    try binary?.string(string)
    value?.string(string)
  }

  mutating func string(_ string: PlistText) throws { try self.string(String(string)) }

  @inline(__always)
  mutating func integer(_ integer: PropertyListInteger) throws {
    xml?.integer(integer)
    try binary?.integer(integer)
    value?.integer(integer)
  }

  @inline(__always)
  mutating func real(_ real: Double) throws {
    xml?.real(real)
    try binary?.real(real)
    value?.real(real)
  }

  mutating func real(_ real: Float) throws {
    xml?.real(Double(real))
    try binary?.real(real)
    value?.real(real)
  }

  mutating func boolean(_ boolean: Bool) throws {
    xml?.boolean(boolean)
    try binary?.boolean(boolean)
    value?.boolean(boolean)
  }

  mutating func date(_ date: Date) throws {
    try xml?.date(date)
    try binary?.date(date)
    value?.date(date)
  }

  mutating func data(_ data: Data) throws {
    xml?.data(data)
    try binary?.data(data)
    value?.data(data)
  }

  mutating func uid(_ uid: PropertyListUID) throws {
    xml?.uid(uid)
    try binary?.uid(uid)
    value?.uid(uid)
  }

  /// Writes nil, wherever it comes from, as the strategy says.
  mutating func null() throws {
    if let sentinel { return try string(sentinel) }
    try xml?.null()
    try binary?.null()
    value?.null()
  }
}

// MARK: Containers

extension EncodingOutput {
  mutating func beginDictionary() throws {
    xml?.beginDictionary()
    try binary?.beginDictionary()
    value?.beginDictionary()
  }

  mutating func endDictionary() throws {
    xml?.endDictionary()
    try binary?.endDictionary()
    value?.endDictionary()
  }

  mutating func beginArray() throws {
    xml?.beginArray()
    try binary?.beginArray()
    value?.beginArray()
  }

  mutating func endArray() throws {
    xml?.endArray()
    try binary?.endArray()
    value?.endArray()
  }

  @inline(__always)
  mutating func key(_ key: String) throws {
    try xml?.key(key)
    try binary?.key(key)
    value?.key(key)
  }

  mutating func key(_ key: PlistText) throws { try self.key(String(key)) }

  /// Prepares a key that is going to recur.
  mutating func recurringKey(_ key: String) throws -> UInt64 {
    if xml != nil {
      let start = keyLines.count
      try XMLFormatter.appendKeyLine(key, to: &keyLines)
      return UInt64(start) << 32 | UInt64(keyLines.count - start)
    }
    return UInt64(try binary?.prepare(key: key) ?? 0)
  }

  /// Writes a key that ``recurringKey(_:)`` has prepared.
  @inline(__always)
  mutating func key(_ key: String, prepared: UInt64) throws {
    let start = Int(prepared >> 32)
    xml?.key(line: start..<start + Int(prepared & 0xFFFF_FFFF), of: keyLines)
    try binary?.key(prepared: UInt32(truncatingIfNeeded: prepared))
    value?.key(key)
  }
}

// MARK: Amending

extension EncodingOutput {
  /// How far the output is, to go back to.
  @inline(__always)
  var position: Int { xml?.buffer.count ?? 0 }

  /// Takes back everything since ``position`` was what is given.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - containers: How many containers were open.
  ///   - count: How many keys and values the innermost of them had.
  mutating func rollBack(to position: Int, containers: Int, count: Int) throws {
    xml?.removeBytes(from: position, depth: containers, isAtBeginning: containers > 0 && count == 0)
    try binary?.removeReferences(from: count, containers: containers)
    value?.remove(from: count, containers: containers)
  }

  /// Keeps of the pairs of one key, in the dictionary that is open and was begun at `position`, only the last.
  mutating func keepLastPairs(from position: Int) throws {
    xml?.keepLastPairs(from: position)
    try binary?.keepLastPairs()
    value?.keepLastPairs()
  }
}
