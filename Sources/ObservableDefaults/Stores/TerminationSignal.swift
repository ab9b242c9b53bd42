import Foundation

/// The signal to save unsaved values: the process exits, or its app goes to the background.
enum TerminationSignal {
  /// Calls a closure at that time, until the subscription ends.
  static func subscribe(_ handler: @escaping @Sendable () -> Void) -> DefaultsSubscription {
    subscribers.add(handler)
  }

  private static let subscribers: Subscribers<Void> = {
    // Called on a normal exit only. The function has no context, so there is one list for the process.
    atexit { TerminationSignal.subscribers.send(()) }
    // Apps in the background are ended without an exit.
    for name in notifications {
      _ = NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
        subscribers.send(())
      }
    }
    return Subscribers()
  }()

  /// The notifications of the application frameworks, by their names, since those need not be linked.
  private static let notifications = [
    "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification",
    "UISceneDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    "WKApplicationDidEnterBackgroundNotification", "NSApplicationWillTerminateNotification",
    "NSApplicationDidResignActiveNotification",
  ]
}
