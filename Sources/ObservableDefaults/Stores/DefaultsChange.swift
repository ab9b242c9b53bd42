/// What a store's subscribers are told.
public struct DefaultsChange: Sendable, Hashable {
  /// Who made a change.
  public enum Origin: Sendable, Hashable {
    /// This process, through the store.
    case local
    /// Someone else on this machine: another process, or another way into the store.
    case external
    /// Another machine, or the service that keeps the values; with the reason it gives.
    case remote(CloudChangeReason)
  }

  /// Who made the change.
  public let origin: Origin
  /// The keys that were set, changed or removed; nil where it is not known which, and all are to be read again.
  public let keys: Set<String>?

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - origin: Who made it.
  ///   - keys: The keys concerned, or nil for all.
  public init(origin: Origin, keys: Set<String>?) {
    self.origin = origin
    self.keys = keys
  }
}

/// What keeps a closure being called; it ends when this is cancelled, or nobody holds it any more.
public final class DefaultsSubscription: Sendable {
  private let end: Guarded<(@Sendable () -> Void)?>

  /// Creates a subscription.
  ///
  /// - Parameter end: Called once, when it ends.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = Guarded(end) }

  /// Ends the calls; one that is under way on another thread may still be going on.
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
