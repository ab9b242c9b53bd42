import Plist

#if canImport(Darwin)
import Foundation
#endif

/// A list of closures to call with each event.
package final class Subscribers<Event: Sendable>: Sendable {
  package typealias Handler = @Sendable (Event) -> Void

  private let handlers = Guarded((byNumber: [Int: Handler](), lastNumber: 0))

  package init() {}

  package var isEmpty: Bool { handlers.withLock { $0.byNumber.isEmpty } }

  /// Adds a handler; `didEnd` is called after the handler's subscription has ended.
  package func add(_ handler: @escaping Handler, didEnd: @escaping @Sendable () -> Void = {}) -> DefaultsSubscription {
    let number = handlers.withLock { handlers in
      handlers.lastNumber += 1
      handlers.byNumber[handlers.lastNumber] = handler
      return handlers.lastNumber
    }
    return DefaultsSubscription {
      // Release the handler outside the lock, since releasing it can run arbitrary deinitializers.
      let handler = self.handlers.withLock { $0.byNumber.removeValue(forKey: number) }
      if handler != nil { didEnd() }
    }
  }

  /// Calls the handlers on the current thread, in the order in which they were added.
  package func send(_ event: Event) {
    for number in handlers.withLock({ $0.byNumber.keys.sorted() }) {
      // An earlier handler may have ended a later one's subscription.
      if let handler = handlers.withLock({ $0.byNumber[number] }) { handler(event) }
    }
  }
}

extension Subscribers<DefaultsChange> {
  /// Reports a change to the given keys, unless there are none.
  package func send(_ origin: DefaultsChange.Origin, _ keys: Set<String>) {
    if !keys.isEmpty { send(DefaultsChange(origin: origin, keys: keys)) }
  }
}

/// Tells stores to write their unsaved values before the process exits or the app moves to the background.
package enum TerminationSignal {
  package static func subscribe(_ handler: @escaping @Sendable () -> Void) -> DefaultsSubscription {
    subscribers.add(handler)
  }

  private static let subscribers: Subscribers<Void> = {
    // An `atexit` function cannot capture variables, so the process has a single list of handlers.
    CurrentThread.atExit { TerminationSignal.subscribers.send(()) }
    #if canImport(Darwin)
    // The system terminates background apps without a normal exit.
    for name in notifications {
      _ = NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
        subscribers.send(())
      }
    }
    #endif
    return Subscribers()
  }()

  #if canImport(Darwin)
  /// The notification names, spelled out because using the constants would require linking the app frameworks.
  private static let notifications = [
    "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification",
    "UISceneDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    "WKApplicationDidEnterBackgroundNotification", "NSApplicationWillTerminateNotification",
    "NSApplicationDidResignActiveNotification",
  ]
  #endif
}
