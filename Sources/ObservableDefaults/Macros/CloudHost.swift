#if Macros
import Foundation

/// The host of an object whose class has `@ObservableCloud`.
public final class _CloudHost: _BackedPropertyHost, @unchecked Sendable {
  private struct State {
    var syncsImmediately: Bool
    var developmentMode: Bool
    var backend: (any CloudKeyValueBackend)?
    var observation: (any Sendable)?
  }

  private let own: Guarded<State>
  private let scope: DefaultsScope?

  /// Creates a host.
  ///
  /// - Parameters:
  ///   - prefix: What precedes the keys of all properties.
  ///   - syncImmediately: Whether the service is asked to synchronize after each change.
  ///   - developmentMode: Whether values are kept in memory, by this host alone.
  public init(prefix: String = "", syncImmediately: Bool = false, developmentMode: Bool = false) {
    own = Guarded(State(syncsImmediately: syncImmediately, developmentMode: developmentMode))
    let scope = DefaultsScope.current
    self.scope = scope
    super.init(prefix: prefix) { Self.store(nil, developmentMode, scope) }
  }

  /// Whether the service is asked to synchronize after each change.
  public var syncsImmediately: Bool {
    get { own.withLock(\.syncsImmediately) }
    set { own.withLock { $0.syncsImmediately = newValue } }
  }

  /// Whether it was asked for that values are kept in memory, by this host alone.
  public var developmentMode: Bool {
    get { own.withLock(\.developmentMode) }
    set {
      own.withLock { $0.developmentMode = newValue }
      useStore()
    }
  }

  /// Whether values are kept in memory, since that was asked for here or in the environment.
  public var isInDevelopmentMode: Bool {
    developmentMode || CloudStore.isDevelopmentEnvironment(ProcessInfo.processInfo.environment)
  }

  /// What says, by being there, that the object is told of other machines' changes.
  public var observation: (any Sendable)? {
    get { own.withLock(\.observation) }
    set {
      let last = own.withLock { own in
        defer { own.observation = newValue }
        return own.observation
      }
      withExtendedLifetime(last) {}
      setFollowing(newValue != nil)
    }
  }

  /// Uses a service other than the user's.
  public func use(_ backend: any CloudKeyValueBackend) {
    own.withLock { $0.backend = backend }
    useStore()
  }

  override func didStore() {
    if syncsImmediately { (place.store as? CloudStore)?.synchronize() }
  }

  private func useStore() {
    let (backend, developmentMode) = own.withLock { ($0.backend, $0.developmentMode) }
    use { [scope] in Self.store(backend, developmentMode, scope) }
  }

  private static func store(
    _ backend: (any CloudKeyValueBackend)?, _ developmentMode: Bool, _ scope: DefaultsScope?
  ) -> any DefaultsStore {
    // In development mode, the service given is not used.
    if developmentMode { return CloudStore(MockCloudBackend(), developmentMode: true) }
    if let backend { return CloudStore(backend) }
    return scope?.store(inPlaceOf: "cloud") ?? CloudStore.standard
  }
}

/// What a hand-written initializer of a class with `@ObservableCloud` assigns, to have the object told of other machines'
/// changes.
///
/// ```swift
/// init() {
///   if !_developmentMode_ { _cloudObserver = CloudObservation(host: self, prefix: _prefix) }
/// }
/// ```
public final class CloudObservation<Host: AnyObject>: Sendable {
  /// What precedes the keys whose changes are told.
  public let prefix: String

  /// Creates an observation.
  ///
  /// - Parameters:
  ///   - host: The object that is to be told.
  ///   - prefix: The prefix of its keys.
  public init(host: Host, prefix: String) { self.prefix = prefix }
}
#endif
