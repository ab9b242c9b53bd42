// Combine publishers and SwiftUI bindings.

import Plist

#if canImport(Combine)
public import Combine

extension SharedReference {
  /// A publisher that sends the current value and then each new value.
  ///
  /// Each new value is sent on the thread that delivers the change.
  public var publisher: AnyPublisher<Value, Never> {
    Deferred { [self] in
      // Only one thread at a time delivers changes, so the publisher sends values one at a time.
      let current = Guarded<(value: Value?, subject: CurrentValueSubject<Value, Never>?)>((nil, nil))
      let token = observe { _, new in
        let subject = current.withLock { current in
          current.value = new
          return current.subject
        }
        subject?.send(new)
      }
      // If a change is delivered before the Combine subject exists, the new value becomes the subject's first value.
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
  /// A publisher that sends the current value and then each new value.
  ///
  /// Each new value is sent on the thread that delivers the change.
  public var publisher: AnyPublisher<Value, Never> { reference.publisher }
}
#endif

#if canImport(SwiftUI)
public import SwiftUI

extension SharedReference {
  /// A SwiftUI binding to the stored value.
  @MainActor public var binding: Binding<Value> {
    Binding {
      self.read(.mainActorValue).value
    } set: {
      self.value = $0
    }
  }
}

extension Shared {
  /// A SwiftUI binding to the shared value.
  @MainActor public var binding: Binding<Value> { reference.binding }
}

extension Binding where Value: Sendable {
  /// Creates a binding to a reference's value.
  ///
  /// ```swift
  /// struct NameField: View {
  ///   @UserDefault("name") var name = ""
  ///   var body: some View { TextField("Name", text: Binding($name)) }
  /// }
  /// ```
  @MainActor public init(_ reference: SharedReference<Value>) { self = reference.binding }

  /// Creates a binding to a shared value.
  @MainActor public init(_ shared: Shared<Value>) { self = shared.binding }
}

// SwiftUI observes the values that a view's body reads, so the conformances to `DynamicProperty` need no `update()`.
extension UserDefault: DynamicProperty {}
extension Shared: DynamicProperty {}
extension SharedReader: DynamicProperty {}
#endif
