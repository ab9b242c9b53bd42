#if canImport(Combine)
public import Combine

extension SharedReference {
  /// The present value, and then the new ones, on the threads that make the changes.
  public var publisher: AnyPublisher<Value, Never> {
    let subject = CurrentValueSubject<Value, Never>(value)
    let token = observe { _, new in subject.send(new) }
    return subject.handleEvents(receiveCancel: { token.cancel() }).eraseToAnyPublisher()
  }
}

extension Shared {
  /// The present value, and then the new ones, on the threads that make the changes.
  public var publisher: AnyPublisher<Value, Never> { reference.publisher }
}
#endif
