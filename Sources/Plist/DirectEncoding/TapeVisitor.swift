#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A visitor that stores the values on a tape, from which they are written later.
///
/// Keys are sorted on the tape, and an element of a stream is written only after it has been encoded without an error.
struct TapeVisitor: PropertyListVisitor {
  typealias Failure = Never

  private let state: EncoderState
  private var tape: EncodingTape { state.tape }
  private var open: [Int32] = []
  /// The numbers of the next value's key before and after the key strategy has converted the key.
  private var key: (name: Int32, original: Int32)?

  init(_ state: EncoderState) { self.state = state }

  /// Encodes a value with the `encode(to:)` of `Encodable`; `depth` is the number of open containers.
  mutating func encode(_ value: some Encodable, isRoot: Bool, depth: Int) throws {
    try state.encodeMember(value, at: add(TapeScalar()), depth: depth)
    if isRoot { try state.checkRoot(reporting: value) }
  }

  /// Adds a value, and returns its entry.
  @discardableResult
  private mutating func add(_ scalar: TapeScalar) -> Int32 {
    guard let container = open.last else {
      tape.fill(EncodingTape.root, with: scalar)
      return EncodingTape.root
    }
    guard let key = key.take() else { return tape.link(scalar, in: container) }
    return tape.link(scalar, newKey: key.name, original: key.original, in: container)
  }

  private mutating func begin(_ kind: TapeEntry.Kind) { open.append(tape.beginContainer(kind, add(TapeScalar()))) }

  mutating func beginDictionary() { begin(.dictionary) }
  mutating func endDictionary() { open.removeLast() }
  mutating func beginArray() { begin(.array) }
  mutating func endArray() { open.removeLast() }

  mutating func key(_ key: String, original: String) {
    let name = tape.key(named: key)
    self.key = (name, key.hasSameBytes(as: original) ? name : tape.key(named: original))
  }

  mutating func key(_ key: String) { self.key(key, original: key) }
  mutating func key(_ key: PlistText) { self.key(String(key)) }
  mutating func string(_ string: String) { add(tape.scalar(string)) }
  mutating func string(_ string: PlistText) { self.string(String(string)) }
  mutating func integer(_ integer: PropertyListInteger) { add(TapeScalar(integer)) }
  mutating func real(_ real: Double) { add(TapeScalar(real)) }
  mutating func real(_ real: Float) { add(TapeScalar(real)) }
  mutating func boolean(_ boolean: Bool) { add(TapeScalar(boolean)) }
  mutating func date(_ date: Date) { add(TapeScalar(date)) }
  mutating func data(_ data: Data) { add(tape.scalar(data)) }
  mutating func uid(_ uid: PropertyListUID) { add(TapeScalar(uid)) }
  mutating func null() { add(TapeScalar(.null, 0)) }
}
