import Foundation

/// Unsaved values must be saved when the process exits or its app goes to the background.
enum TerminationSignal {
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

  /// The application frameworks need not be linked, so their notifications are identified by name.
  private static let notifications = [
    "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification",
    "UISceneDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    "WKApplicationDidEnterBackgroundNotification", "NSApplicationWillTerminateNotification",
    "NSApplicationDidResignActiveNotification",
  ]
}
