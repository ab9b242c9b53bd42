#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A builder that stores values on the tape of a state, from which they are written later.
///
/// Keys are sorted on the tape, and an element of a stream is written only after it has been encoded without an error.
struct TapeBuilder {
  private let state: EncoderState
  private var tape: EncodingTape { state.tape }
  private var open: [Int32] = []
  /// The numbers of the next value's key before and after the key strategy has converted the key.
  private var key: (name: Int32, original: Int32)?

  init(_ state: EncoderState) { self.state = state }

  /// Adds a value, and returns its entry.
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

  /// Adds a value that its `encode(to:)` of `Encodable` encodes; `depth` is the number of open containers.
  mutating func add(codable value: some Encodable, isRoot: Bool, depth: Int) throws {
    try state.encodeMember(value, at: add(TapeScalar()), depth: depth)
    if isRoot { try state.checkRoot(reporting: value) }
  }

  /// Sets the key of the next value, which the key strategy has converted from `original`.
  mutating func setKey(_ key: String, original: String) {
    let name = tape.key(named: key)
    self.key = (name, key.hasSameBytes(as: original) ? name : tape.key(named: original))
  }

  mutating func begin(_ kind: TapeEntry.Kind) { open.append(tape.beginContainer(kind, add(TapeScalar()))) }
  mutating func end() { open.removeLast() }
}
