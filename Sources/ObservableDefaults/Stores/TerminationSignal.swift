import Foundation

/// A name space for notifications that unsaved values must be saved, because the process exits or its app goes to the
/// background.
enum TerminationSignal {
  /// Calls a closure when the process exits or its app goes to the background, until the subscription ends.
  static func subscribe(_ handler: @escaping @Sendable () -> Void) -> DefaultsSubscription {
    subscribers.add(handler)
  }

  private static let subscribers: Subscribers<Void> = {
    // The system calls functions that `atexit` registers only on a normal exit. Such a function cannot capture
    // variables, so the process has one list of handlers.
    atexit { TerminationSignal.subscribers.send(()) }
    // The system ends apps in the background without a normal exit, so notifications are needed too.
    for name in notifications {
      _ = NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
        subscribers.send(())
      }
    }
    return Subscribers()
  }()

  /// The notifications of the application frameworks, by name, since these frameworks need not be linked.
  private static let notifications = [
    "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification",
    "UISceneDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    "WKApplicationDidEnterBackgroundNotification", "NSApplicationWillTerminateNotification",
    "NSApplicationDidResignActiveNotification",
  ]
}
