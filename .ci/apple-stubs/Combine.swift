// The part of Combine that ObservableDefaults uses.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
}

extension Publisher {
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher() }
  public func handleEvents(receiveCancel: (() -> Void)? = nil) -> HandleEvents<Self> { HandleEvents() }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {}

public struct HandleEvents<Upstream: Publisher>: Publisher {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure
}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure
  public init(createPublisher: @escaping () -> DeferredPublisher) {}
}

public final class CurrentValueSubject<Output, Failure: Error>: Publisher {
  public init(_ value: Output) {}
  public func send(_ input: Output) {}
}
