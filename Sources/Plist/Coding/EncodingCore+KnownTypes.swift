#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EncodingCore {
  /// Writes the pair of a key and a value whose type is known, and that is not ``EncodingTypes/Kind/container``.
  @inline(__always)
  mutating func write<Value: Encodable>(
    _ value: Value, _ kind: EncodingTypes.Kind, for name: borrowing PassingString, _ key: some CodingKey
  ) throws {
    try writeKey(name)
    if try writeScalar(value, kind) == .nothing { _ = try writeContainer(value, kind, { .key(key) }) }
  }

  /// Writes such a value, which is reached by `step` from the value on top, and returns what it is.
  @inline(__always)
  mutating func write<Value: Encodable>(
    _ value: Value, _ kind: EncodingTypes.Kind, _ step: @autoclosure () -> EncodingStep
  ) throws -> EncodedKind {
    let written = try writeScalar(value, kind)
    return written == .nothing ? try writeContainer(value, kind, step) : written
  }

  /// Writes the value unless it is a container, and returns what it is.
  @inline(__always)
  private mutating func writeScalar<Value>(_ value: Value, _ kind: EncodingTypes.Kind) throws -> EncodedKind {
    // The most frequent ones without a value of the enumeration, which takes a copy.
    switch kind {
    case .date:
      try output.date(known(value, as: Date.self))
      return .date
    case .data:
      try output.data(known(value, as: Data.self))
      return .data
    case .strings, .integers, .reals, .stringsByKey: return .nothing
    default:
      guard let scalar = EncodedScalar(value, kind) else { return .nothing }
      try output.scalar(scalar)
      return scalar.kind
    }
  }

  @inline(never)
  private mutating func writeContainer<Value: Encodable>(
    _ value: Value, _ kind: EncodingTypes.Kind, _ step: () -> EncodingStep
  ) throws -> EncodedKind {
    guard outer.count < Self.deepest else { throw EncodingFault.depth }
    switch kind {
    case .strings: try write(known(value, as: [String].self), step) { try $0.string($1, at: $2) }
    case .integers:
      try write(known(value, as: [Int].self), step) { try $0.integer(PropertyListInteger(Int64($1[$2]))) }
    case .reals: try write(known(value, as: [Double].self), step) { try $0.real($1[$2]) }
    case .stringsByKey:
      try write(known(value, as: [String: String].self), step)
      return .dictionary
    default:
      guard let list = PropertyList(value, kind) else { return .nothing }
      try write(list, step())
      return list.encodedKind
    }
    return .array
  }

  @inline(__always)
  private mutating func write<Element>(
    _ elements: [Element], _ step: () -> EncodingStep,
    body: (inout EncodingOutput, BorrowedArray<Element>, Int) throws -> Void
  ) throws {
    try output.beginArray()
    var index = 0
    do {
      let borrowed = BorrowedArray(elements)
      defer { withExtendedLifetime(elements) {} }
      while index < borrowed.count {
        try body(&output, borrowed, index)
        index &+= 1
      }
    } catch {
      throw self.error(EncodingFault(error), elements[index], after: [step(), .index(index)])
    }
    try output.endArray()
  }

  private mutating func write(_ pairs: [String: String], _ step: () -> EncodingStep) throws {
    try output.beginDictionary()
    for (key, value) in pairs {
      do {
        try output.key(key)
        try output.string(value)
      } catch {
        throw self.error(EncodingFault(error), value, after: [step(), .key(PlistCodingKey.name(key))])
      }
    }
    try output.endDictionary()
  }

  private mutating func write(_ list: PropertyList, _ step: EncodingStep) throws {
    let path = codingPath(ofFrame: outer.count) + (step.codingKey.map { [$0] } ?? [])
    try list.visit(&output, sortedKeys: sortsKeys) { [format] failure, _, rest in
      let rest = rest.components.map { PlistCodingKey.name($0) }
      return EncodingFault(failure).error(for: list, at: path + rest, format: format)
    }
  }

  /// What is thrown to users for a fault in what is reached by `steps` from the value on top.
  @inline(never)
  private func error(_ fault: EncodingFault, _ value: Any, after steps: [EncodingStep]) -> EncodingError {
    let path = codingPath(ofFrame: outer.count) + steps.compactMap(\.codingKey)
    return fault.error(for: value, at: path, format: format)
  }
}

extension PropertyList {
  /// What the value is as the result of an encoding.
  var encodedKind: EncodedKind {
    switch self {
    case .string: .string
    case .integer, .real: .number
    case .boolean: .boolean
    case .date: .date
    case .data: .data
    case .uid: .other
    case .null: .null
    case .array: .array
    case .dictionary: .dictionary
    }
  }
}
