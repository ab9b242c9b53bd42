#if Macros
public import ObservableDefaults
import Plist

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state shared by the properties of an `@ObservableCloud` object, for use by generated code.
public final class _CloudHost: _BackedPropertyHost, @unchecked Sendable {
  private struct State {
    var syncsImmediately: Bool
    var developmentMode: Bool
    var backend: (any CloudKeyValueBackend)?
    var observation: (any Sendable)?
  }

  private let own: Guarded<State>
  private let scope: DefaultsScope?

  /// Creates the state that an object's properties share.
  public init(prefix: String = "", syncImmediately: Bool = false, developmentMode: Bool = false) {
    own = Guarded(State(syncsImmediately: syncImmediately, developmentMode: developmentMode))
    let scope = DefaultsScope.current
    self.scope = scope
    super.init(prefix: prefix) { Self.store(nil, developmentMode, scope) }
  }

  /// Whether to ask the cloud service to synchronize after each change.
  public var syncsImmediately: Bool {
    get { own.withLock { $0.syncsImmediately } }
    set { own.withLock { $0.syncsImmediately = newValue } }
  }

  /// Whether the class requests development mode, in which each object keeps its values in memory.
  public var developmentMode: Bool {
    get { own.withLock { $0.developmentMode } }
    set {
      own.withLock { $0.developmentMode = newValue }
      useStore()
    }
  }

  /// Whether the class or the environment requests development mode.
  public var isInDevelopmentMode: Bool {
    developmentMode || CloudStore.isDevelopmentEnvironment(ProcessInfo.processInfo.environment)
  }

  /// The observation of changes made on other machines, or nil if they aren't observed.
  public var observation: (any Sendable)? {
    get { own.withLock { $0.observation } }
    set {
      let last = own.withLock { own in
        defer { own.observation = newValue }
        return own.observation
      }
      withExtendedLifetime(last) {}
      setFollowing(newValue != nil)
    }
  }

  /// Replaces the standard cloud service with the given one.
  public func use(_ backend: any CloudKeyValueBackend) {
    own.withLock { $0.backend = backend }
    useStore()
  }

  public override func didStore() {
    if syncsImmediately { (location.store as? CloudStore)?.synchronize() }
  }

  private func useStore() {
    let (backend, developmentMode) = own.withLock { ($0.backend, $0.developmentMode) }
    use { [scope] in Self.store(backend, developmentMode, scope) }
  }

  private static func store(
    _ backend: (any CloudKeyValueBackend)?, _ developmentMode: Bool, _ scope: DefaultsScope?
  ) -> any DefaultsStore {
    // Development mode takes precedence over an explicitly set cloud service.
    if developmentMode { return CloudStore(MockCloudBackend(), developmentMode: true) }
    if let backend { return CloudStore(backend) }
    return scope?.store(replacing: "cloud") ?? CloudStore.replaceableStandard
  }
}

/// Observes changes made on other machines, for `@ObservableCloud` classes with a hand-written initializer.
///
/// ```swift
/// @ObservableCloud(autoInit: false)
/// final class Reader {
///   var fontSize = 12.0
///
///   init() {
///     if !_developmentMode_ { _cloudObserver = CloudObservation(host: self, prefix: _prefix) }
///   }
/// }
/// ```
public final class CloudObservation<Host: AnyObject>: Sendable {
  /// The prefix of the observed keys.
  public let prefix: String

  /// Starts observing changes made on other machines.
  ///
  /// - Parameters:
  ///   - host: The object whose observers are notified.
  ///   - prefix: The prefix of the object's keys.
  public init(host: Host, prefix: String) { self.prefix = prefix }
}
#endif
