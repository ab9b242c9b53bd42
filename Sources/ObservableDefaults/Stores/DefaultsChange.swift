/// A change of a store, delivered to its subscribers.
///
/// ```swift
/// let token = store.subscribe { change in
///   if change.keys?.contains("theme") != false { print("the theme was set, or any key may have been") }
/// }
/// ```
public struct DefaultsChange: Sendable, Hashable {
  /// The origin of a change.
  ///
  /// ```swift
  /// switch change.origin {
  /// case .local: print("set by this process")
  /// case .external: print("set by another process")
  /// case .remote(let reason): print("set by another machine: \(reason)")
  /// }
  /// ```
  public enum Origin: Sendable, Hashable {
    /// This process made the change through the store.
    case local
    /// Another process on this machine, or other code that uses the same values, made the change.
    case external
    /// Another machine, or the service that stores the values, made the change; the service reports the reason.
    case remote(CloudChangeReason)
  }

  /// The origin of the change.
  public let origin: Origin
  /// The keys that were set, changed or removed; nil if the changed keys are unknown, so that all keys must be read
  /// again.
  public let keys: Set<String>?

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - origin: The origin of the change.
  ///   - keys: The keys that were set, changed or removed, or nil if the keys are unknown.
  public init(origin: Origin, keys: Set<String>?) {
    self.origin = origin
    self.keys = keys
  }
}

/// A token for the subscription of a closure; after the token is cancelled or released, the closure is no longer
/// called.
///
/// ```swift
/// let token = appearance.$theme.observe { old, new in print("\(old) → \(new)") }
/// appearance.theme = .dark  // light → dark
/// token.cancel()
/// appearance.theme = .light  // not printed
/// ```
public final class DefaultsSubscription: Sendable {
  private let end: Guarded<(@Sendable () -> Void)?>

  /// Creates a subscription.
  ///
  /// - Parameter end: A closure that is called once, when the subscription ends.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = Guarded(end) }

  /// Cancels the subscription, so that the observer's closure is no longer called.
  ///
  /// A call of the closure that is running on another thread can end after this method returns.
  ///
  /// Further calls of `cancel()` do nothing.
  public func cancel() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }

  deinit { cancel() }
}
