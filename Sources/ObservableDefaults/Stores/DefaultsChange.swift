import Plist

/// A change to the values in a defaults store, which the store reports to its subscribers.
///
/// ```swift
/// let token = store.subscribe { change in
///   if change.keys?.contains("theme") != false { print("the theme was set, or any key may have been") }
/// }
/// ```
public struct DefaultsChange: Sendable, Hashable {
  /// The origin of a change, such as another process.
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
    /// Another process on this machine, or other code in this process, made the change.
    case external
    /// Another machine or the cloud service made the change, for the reason that the service reports.
    case remote(CloudChangeReason)
  }

  /// The origin of the change.
  public let origin: Origin
  /// The keys that were set, changed or removed, or nil if the changed keys are unknown.
  ///
  /// If this is nil, reread all values.
  ///
  /// Canonically equal keys, such as composed and decomposed `é`, count as one element of the set.
  public let keys: Set<String>?

  /// Creates a description of a change.
  ///
  /// - Parameters:
  ///   - origin: The origin of the change.
  ///   - keys: The keys that were set, changed or removed, or nil if the keys are unknown.
  public init(origin: Origin, keys: Set<String>?) {
    self.origin = origin
    self.keys = keys
  }
}

/// The reason why a value in a cloud store changed outside this process.
///
/// ```swift
/// let token = cloud.subscribe { change in
///   if change.origin == .remote(.quotaViolation) { print("iCloud is full") }
/// }
/// ```
public struct CloudChangeReason: Hashable, Sendable, CustomStringConvertible {
  /// The name of the reason, such as `serverChange`.
  public let name: String

  /// Creates a reason with the given name.
  public init(_ name: String) { self.name = name }

  /// Another of the user's machines changed values in the cloud service.
  public static let serverChange = CloudChangeReason("serverChange")
  /// The first download from the service replaced values that were set earlier on this machine.
  public static let initialSync = CloudChangeReason("initialSync")
  /// The values exceed the service's quota, so the most recent changes may be lost.
  public static let quotaViolation = CloudChangeReason("quotaViolation")
  /// Another user signed in, and the store now contains that user's values.
  public static let accountChange = CloudChangeReason("accountChange")

  /// The name of the reason.
  public var description: String { name }
}

/// A token for a subscription, which ends when the token is canceled or released.
///
/// ```swift
/// let token = appearance.$theme.observe { old, new in print("\(old) → \(new)") }
/// appearance.theme = .dark  // light → dark
/// token.cancel()
/// appearance.theme = .light  // not printed
/// ```
public final class DefaultsSubscription: Sendable {
  private let end: Guarded<(@Sendable () -> Void)?>

  /// Creates a subscription token.
  ///
  /// - Parameter end: A closure that the token calls once, when the subscription ends.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = Guarded(end) }

  /// Ends the subscription without waiting for a handler that is running on another thread.
  public func cancel() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }

  deinit { cancel() }
}
