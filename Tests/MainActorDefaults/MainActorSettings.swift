#if Macros
public import Foundation
public import ObservableDefaults
public import ObservableDefaultsCloud
import ObservableDefaultsCompatibility

// This module's default isolation is the main actor, as in an app.

/// A type whose conformances are isolated to the main actor.
public struct Profile: Codable, Equatable {
  /// A property that the tests set and read.
  public var name = "nobody"
  /// A property that the tests set and read.
  public var tags: [String] = []

  /// Creates an empty profile for tests.
  public init() {}
}

/// An enumeration whose conformances are isolated to the main actor.
public enum Paper: String {
  case white, sepia
}

/// Settings without an explicit isolation, so on the main actor.
@ObservableDefaults
public final class MainActorSettings {
  /// A property that the tests set and read.
  public var count = 0
  /// A property that the tests set and read.
  public var profile = Profile()
  /// A property that the tests set and read.
  public var paper = Paper.white
  /// A property that the tests set and read.
  public var papers: [Paper] = []
  /// A property that the tests set and read.
  public var home: URL?
  /// A property that the tests set and read.
  @ObservableOnly public var selection = 0
  /// A property that the tests set and read.
  @Ignore public var log: [String] = []
  /// A property that the tests set and read.
  public var volume = 0.5 {
    willSet { log.append("will \(newValue)") }
    didSet { log.append("did \(oldValue)") }
  }
}

/// Settings with `defaultIsolationIsMainActor`, which fatbobman's library requires.
@ObservableDefaults(observeFirst: true, defaultIsolationIsMainActor: true)
public final class ObservedFirstSettings {
  /// A property that the tests set and read.
  public var count = 0
  /// A property that the tests set and read.
  @DefaultsBacked public var profile: Profile?
}

/// Nonisolated settings in a module that defaults to the main actor.
@ObservableDefaults
nonisolated public final class NonisolatedSettings: Sendable {
  /// A property that the tests set and read.
  public var count = 0
}

/// Settings in the cloud, with an initializer written by hand.
@ObservableCloud(autoInit: false, defaultIsolationIsMainActor: true)
public final class MainActorCloudSettings {
  /// A property that the tests set and read.
  public var count = 0
  /// A property that the tests set and read.
  public var profile = Profile()

  /// Creates settings in the cloud.
  public init(developmentMode: Bool) {
    _developmentMode = developmentMode
    _prefix = "mine_"
    if !_developmentMode_ { _cloudObserver = CloudObservation(host: self, prefix: _prefix) }
  }
}

/// Settings in the cloud, with the generated initializer.
@ObservableCloud
public final class MainActorCloud {
  /// A property that the tests set and read.
  public var profile = Profile()
}
#endif
