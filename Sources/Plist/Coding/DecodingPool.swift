import Synchronization

/// The levels of decodings that are over, for the decodings to come.
///
/// They have learnt which keys the documents have and hold what has been allocated for them, which takes longer than to
/// decode a value of a kilobyte. Those that threw are not kept, nor those that a decoder or container still refers to.
final class DecodingPool: Sendable {
  private let levels = Mutex<[DecodingLevel]>([])

  /// How many are kept: as many decodings as one decoder may have under way on the threads of a machine.
  private static var capacity: Int { 16 }

  /// Takes out the level of a root, if there is one.
  func take() -> DecodingLevel? { levels.withLock { $0.popLast() } }

  /// Keeps the level of a root whose decoding has succeeded.
  func keep(_ level: consuming DecodingLevel) {
    // Whatever of the levels below or of their containers is still in use refers to the root.
    guard isKnownUniquelyReferenced(&level) else { return }
    level.forgetDocument()
    level.context.forgetDocument()
    levels.withLock { [level] levels in
      if levels.count < Self.capacity { levels.append(level) }
    }
  }
}
