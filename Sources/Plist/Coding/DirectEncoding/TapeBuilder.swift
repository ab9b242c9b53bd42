#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Puts encoded values on an ``EncodingTape``, which a writer reads later.
///
/// Sorted keys need a tape, and so do the elements of a stream, which are written only once they are complete and
/// without an error.
struct TapeBuilder {
  private let state: EncoderState
  private var tape: EncodingTape { state.tape }
  private var open: [Int32] = []
  /// The converted and the original key of the next value.
  private var key: (name: Int32, original: Int32)?
  /// How many open containers are not on the tape.
  private let outerDepth: Int

  init(_ state: EncoderState, outerDepth: Int) {
    self.state = state
    self.outerDepth = outerDepth
  }

  /// Adds a scalar, and returns its entry.
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

  /// Adds a value with `Encodable`'s `encode(to:)`, inside `depth` open containers.
  mutating func add(codable value: some Encodable, isRoot: Bool, depth: Int) throws {
    try state.encodeMember(value, at: add(TapeScalar()), depth: depth - outerDepth)
    if isRoot { try state.checkRoot(reporting: value) }
  }

  /// Sets the key of the next value, converted from `original`.
  mutating func setKey(_ key: String, original: String) {
    let name = tape.key(named: key)
    self.key = (name, key.hasSameBytes(as: original) ? name : tape.key(named: original))
  }

  mutating func begin(_ kind: TapeEntry.Kind) { open.append(tape.beginContainer(kind, add(TapeScalar()))) }
  mutating func end() { open.removeLast() }

  /// Ends the array of a set, and sorts its elements.
  mutating func endSet() { tape.sortElements(of: tape.containers[Int(open.removeLast())].entry, stride: 1) }
}
