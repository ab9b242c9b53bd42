import Plist

#if canImport(Darwin)
import Foundation
#endif

package final class Subscribers<Event: Sendable>: Sendable {
  package typealias Handler = @Sendable (Event) -> Void

  private struct State {
    var handlers: [Int: Handler] = [:]
    /// The identities of the `StoreHub` objects that have added handlers; the key of an identity is the key of the
    /// added handler in ``handlers``.
    var hubs: [Int: ObjectIdentifier] = [:]
    var nextNumber = 0
  }

  private let state = Guarded(State())

  package init() {}

  package var isEmpty: Bool { state.withLock { $0.handlers.isEmpty } }

  /// Adds a handler; the closure `didEnd` is called after the handler's subscription has ended.
  package func add(_ handler: @escaping Handler, didEnd: @escaping @Sendable () -> Void = {}) -> DefaultsSubscription {
    let number = state.withLock { state in
      state.nextNumber += 1
      state.handlers[state.nextNumber] = handler
      if let hub = StoreHub.subscribing { state.hubs[state.nextNumber] = hub }
      return state.nextNumber
    }
    return DefaultsSubscription {
      // The lock must not be held while the handler is released, because the release can run any deinitializer.
      let handler = self.state.withLock { state in
        state.hubs[number] = nil
        return state.handlers.removeValue(forKey: number)
      }
      if handler != nil { didEnd() }
    }
  }

  /// Calls the handlers on the current thread, in the order in which the handlers were added.
  package func send(_ event: Event) { call(event) }

  private func call(_ event: Event) {
    for number in state.withLock({ $0.handlers.keys.sorted() }) {
      // An earlier handler can have ended the subscription of a later handler.
      if let handler = state.withLock({ $0.handlers[number] }) { handler(event) }
    }
  }
}

extension Subscribers<DefaultsChange> {
  /// Sends a change to the handlers if the set of changed keys is not empty.
  package func send(_ origin: DefaultsChange.Origin, _ keys: Set<String>) {
    if !keys.isEmpty { send(DefaultsChange(origin: origin, keys: keys)) }
  }

  /// Sends a change to the handlers.
  ///
  /// If a reference is storing one of the changed values on the current thread, the method first marks that value as
  /// stored.
  package func send(_ change: DefaultsChange) {
    if change.origin == .local, let keys = change.keys, let saving = SavingReference.current {
      saving.commit(keys, in: state.withLock { Array($0.hubs.values) })
    }
    call(change)
  }
}

/// A signal that tells defaults stores to save unsaved values before the process exits or the app goes to the
/// background.
package enum TerminationSignal {
  package static func subscribe(_ handler: @escaping @Sendable () -> Void) -> DefaultsSubscription {
    subscribers.add(handler)
  }

  private static let subscribers: Subscribers<Void> = {
    // The system calls functions registered with `atexit` only if the process exits normally. A function for `atexit`
    // cannot capture variables, so the process has one list of handlers.
    CurrentThread.atExit { TerminationSignal.subscribers.send(()) }
    #if canImport(Darwin)
    // The system ends background apps without a normal exit, so stores also save values when the app enters the
    // background.
    for name in notifications {
      _ = NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
        subscribers.send(())
      }
    }
    #endif
    return Subscribers()
  }()

  #if canImport(Darwin)
  /// The names of the notifications are strings, because the constants would require linking the application
  /// frameworks.
  private static let notifications = [
    "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification",
    "UISceneDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    "WKApplicationDidEnterBackgroundNotification", "NSApplicationWillTerminateNotification",
    "NSApplicationDidResignActiveNotification",
  ]
  #endif
}
