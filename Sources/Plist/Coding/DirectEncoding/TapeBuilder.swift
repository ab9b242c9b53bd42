#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Puts encoded values on an ``EncodingTape`` for a writer to read later.
///
/// For example, sorted keys need a tape, and so do the elements of a stream, because an element is written only if all
/// of it can be encoded.
struct TapeBuilder {
  private let state: EncoderState
  private var tape: EncodingTape { state.tape }
  private var open: [Int32] = []
  /// The next value's converted and original keys.
  private var key: (name: Int32, original: Int32)?
  /// The number of open containers that are not on the tape.
  private let outerDepth: Int

  init(_ state: EncoderState, outerDepth: Int) {
    self.state = state
    self.outerDepth = outerDepth
  }

  /// Adds a scalar and returns its entry.
  @discardableResult
  mutating func add(_ scalar: TapeScalar) -> Int32 {
    guard let container = open.last else {
      tape.fill(EncodingTape.root, with: scalar)
      return EncodingTape.root
    }
    guard let key = key.take() else { return tape.link(scalar, in: container) }
    return tape.link(scalar, newKey: key.name, original: key.original, in: container)
  }

  mutating func add(_ text: String) { add(tape.scalar(text)) }
  mutating func add(_ data: Data) { add(tape.scalar(data)) }

  /// Adds a value inside `depth` open containers by calling `Encodable`'s `encode(to:)`.
  mutating func add(codable value: some Encodable, isRoot: Bool, depth: Int) throws {
    try state.encodeMember(value, at: add(TapeScalar()), depth: depth - outerDepth)
    if isRoot { try state.checkRoot(reporting: value) }
  }

  /// Sets the next value's key, which was converted from `original`.
  mutating func setKey(_ key: String, original: String) {
    let name = tape.key(named: key)
    self.key = (name, key.hasSameBytes(as: original) ? name : tape.key(named: original))
  }

  mutating func begin(_ kind: TapeEntry.Kind) { open.append(tape.beginContainer(kind, add(TapeScalar()))) }
  mutating func end() { open.removeLast() }

  /// Ends a set's array and sorts its elements.
  mutating func endSet() { tape.sortElements(of: tape.containers[Int(open.removeLast())].entry, stride: 1) }
}
