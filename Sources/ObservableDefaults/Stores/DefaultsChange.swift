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
    /// Another process on this machine made the change, or other code that uses the same values.
    case external
    /// Another machine made the change, or the service that stores the values; the service gives the reason.
    case remote(CloudChangeReason)
  }

  /// The origin of the change.
  public let origin: Origin
  /// The keys that were set, changed or removed; nil if all keys must be read again because they are unknown.
  public let keys: Set<String>?

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - origin: The origin of the change.
  ///   - keys: The keys concerned, or nil for all.
  public init(origin: Origin, keys: Set<String>?) {
    self.origin = origin
    self.keys = keys
  }
}

/// A token for the calls of a closure; cancelling or releasing the token ends the calls.
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
  /// - Parameter end: Called once, when the subscription ends.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = Guarded(end) }

  /// Ends the calls; a call on another thread may still be running.
  ///
  /// Further calls do nothing.
  public func cancel() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }

  deinit { cancel() }
}
