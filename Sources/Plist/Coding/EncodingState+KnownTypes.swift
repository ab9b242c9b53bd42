#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EncodingState {
  /// Writes a value whose type is known, and returns what it is.
  ///
  /// - Parameter step: How it is reached from the value on top.
  @inline(__always)
  func write<Value: Encodable>(
    _ value: Value, _ kind: EncodingTypes.Kind, _ step: @autoclosure () -> EncodingStep
  ) throws -> EncodedKind {
    if let scalar = EncodedScalar(value, kind) {
      try output.scalar(scalar)
      return scalar.kind
    }
    return try writeContainer(value, kind, step())
  }

  private func writeContainer<Value: Encodable>(
    _ value: Value, _ kind: EncodingTypes.Kind, _ step: EncodingStep
  ) throws -> EncodedKind {
    switch kind {
    case .strings: try write(known(value, as: [String].self), step) { try $0.string($1) }
    case .integers:
      try write(known(value, as: [Int].self), step) { try $0.integer(PropertyListInteger(Int64($1))) }
    case .reals: try write(known(value, as: [Double].self), step) { try $0.real($1) }
    case .stringKeyed:
      guard let dictionary = value as? any StringKeyedEncodable else { return .nothing }
      return try nest(StringKeyedPairs(dictionary: dictionary), step)
    case .propertyList: return try write(known(value, as: PropertyList.self), step)
    case .propertyListDictionary: return try write(.dictionary(known(value, as: PropertyListDictionary.self)), step)
    default: break
    }
    return .array
  }

  @inline(__always)
  private func write<Element>(
    _ elements: [Element], _ step: EncodingStep, body: (inout EncodingOutput, Element) throws -> Void
  ) throws {
    guard outer.count < Self.deepest else { throw EncodingFault.depth }
    try output.beginArray()
    var index = 0
    do {
      while index < elements.count {
        try body(&output, elements[index])
        index += 1
      }
    } catch {
      throw self.error(EncodingFault(error), elements[index], after: [step, .index(index)])
    }
    try output.endArray()
  }

  private func write(_ list: PropertyList, _ step: EncodingStep) throws -> EncodedKind {
    guard outer.count < Self.deepest else { throw EncodingFault.depth }
    try list.visit(&output, sortedKeys: sortsKeys) { failure, _, path in
      let steps = path.components.map { EncodingStep.key(PlistCodingKey.name($0)) }
      return self.error(EncodingFault(failure), list, after: [step] + steps)
    }
    return list.encodedKind
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
