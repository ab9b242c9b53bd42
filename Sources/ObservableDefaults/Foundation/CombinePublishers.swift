#if canImport(Combine)
public import Combine

extension SharedReference {
  /// The present value, and then the new ones, on the threads that make the changes.
  public var publisher: AnyPublisher<Value, Never> {
    // Each subscriber has a subject of its own, which is gone with it.
    Deferred { [self] in
      let first = state.withLock(\.visible.value)
      // Sound: the subject is used by the delivering thread alone, one at a time.
      let subject = Guarded(CurrentValueSubject<Value, Never>(first))
      let token = observe(from: first) { _, new in subject.withLock { $0 }.send(new) }
      return subject.withLock { $0 }.handleEvents(receiveCancel: { token.cancel() })
    }
    .eraseToAnyPublisher()
  }
}

extension Shared {
  /// The present value, and then the new ones, on the threads that make the changes.
  public var publisher: AnyPublisher<Value, Never> { reference.publisher }
}
#endif
