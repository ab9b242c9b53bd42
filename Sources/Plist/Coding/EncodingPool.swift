import Synchronization

/// States of encodings that are over, for the encodings to come.
///
/// A state has learnt which keys the types have and what they look like, which takes longer than to encode a value of
/// a kilobyte. Those that threw, or that a container still refers to, are not kept.
final class EncodingPool: Sendable {
  /// The one that was kept last.
  private let recent = ObjectSlot<EncodingState>()
  /// The others.
  private let states = Mutex<[EncodingState]>([])

  /// How many states are kept: as many encodings as one encoder may have under way on the threads of a machine.
  private static var capacity: Int { 16 }

  /// Takes out a state for a format, if there is one.
  func take(for format: PlistFormat?) -> EncodingState? {
    if let state = recent.take() {
      if state.core.format == format { return state }
      setAside(state)
    }
    return states.withLock { states in
      guard let index = states.lastIndex(where: { $0.core.format == format }) else { return nil }
      return states.remove(at: index)
    }
  }

  /// Keeps a state whose encoding has succeeded.
  func keep(_ state: consuming EncodingState) {
    guard isKnownUniquelyReferenced(&state) else { return }
    state.core.forgetValues()
    if let other = recent.put(state) { setAside(other) }
  }

  @inline(never)
  private func setAside(_ state: EncodingState) {
    states.withLock { states in
      if states.count < Self.capacity { states.append(state) }
    }
  }
}
