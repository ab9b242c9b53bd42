#if canImport(Combine)
public import Combine

extension SharedReference {
  /// A publisher of the current value and of all later values.
  ///
  /// The publisher sends each value on the thread that delivers the change.
  public var publisher: AnyPublisher<Value, Never> {
    Deferred { [self] in
      // Only one thread at a time delivers changes, so the publisher sends its values one at a time.
      let current = Guarded<(value: Value?, subject: CurrentValueSubject<Value, Never>?)>((nil, nil))
      let token = observe { _, new in
        let subject = current.withLock { current in
          current.value = new
          return current.subject
        }
        subject?.send(new)
      }
      // If a change is delivered before the Combine subject exists, the changed value becomes the subject's first
      // value.
      let subject = current.withLock { current in
        let subject = CurrentValueSubject<Value, Never>(current.value ?? state.withLock { $0.visible.value })
        current.subject = subject
        return subject
      }
      return subject.handleEvents(receiveCancel: { token.cancel() })
    }
    .eraseToAnyPublisher()
  }
}

extension Shared {
  /// A publisher of the current value and of all later values.
  ///
  /// The publisher sends each value on the thread that delivers the change.
  public var publisher: AnyPublisher<Value, Never> { reference.publisher }
}
#endif
