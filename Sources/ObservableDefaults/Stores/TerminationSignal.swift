import Foundation

/// A signal that tells defaults stores to save unsaved values before the process exits or the app goes to the
/// background.
enum TerminationSignal {
  static func subscribe(_ handler: @escaping @Sendable () -> Void) -> DefaultsSubscription {
    subscribers.add(handler)
  }

  private static let subscribers: Subscribers<Void> = {
    // The system calls functions registered with `atexit` only if the process exits normally. A function for `atexit`
    // cannot capture variables, so the process has one list of handlers.
    atexit { TerminationSignal.subscribers.send(()) }
    // The system ends background apps without a normal exit, so stores also save values when the app enters the
    // background.
    for name in notifications {
      _ = NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
        subscribers.send(())
      }
    }
    return Subscribers()
  }()

  /// The names of the notifications are strings, because the constants would require linking the application
  /// frameworks.
  private static let notifications = [
    "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification",
    "UISceneDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    "WKApplicationDidEnterBackgroundNotification", "NSApplicationWillTerminateNotification",
    "NSApplicationDidResignActiveNotification",
  ]
}
