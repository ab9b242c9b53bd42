#if Macros
public import Foundation
public import ObservableDefaults
public import ObservableDefaultsCloud
import ObservableDefaultsCompatibility

// The default isolation of the module MainActorDefaults is the main actor, as in the module of an app.

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

/// A class of settings without an explicit isolation, which the main actor isolates by default.
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

/// A class of settings with the argument `defaultIsolationIsMainActor`, which fatbobman's library requires.
@ObservableDefaults(observeFirst: true, defaultIsolationIsMainActor: true)
public final class ObservedFirstSettings {
  /// A property that the tests set and read.
  public var count = 0
  /// A property that the tests set and read.
  @DefaultsBacked public var profile: Profile?
}

/// A nonisolated class of settings in a module whose default isolation is the main actor.
@ObservableDefaults
nonisolated public final class NonisolatedSettings: Sendable {
  /// A property that the tests set and read.
  public var count = 0
}

/// A class of settings in the cloud, with an initializer written by hand.
@ObservableCloud(autoInit: false, defaultIsolationIsMainActor: true)
public final class MainActorCloudSettings {
  /// A property that the tests set and read.
  public var count = 0
  /// A property that the tests set and read.
  public var profile = Profile()

  /// Creates settings in the cloud for tests.
  public init(developmentMode: Bool) {
    _developmentMode = developmentMode
    _prefix = "mine_"
    if !_developmentMode_ { _cloudObserver = CloudObservation(host: self, prefix: _prefix) }
  }
}

/// A class of settings in the cloud, with the generated initializer.
@ObservableCloud
public final class MainActorCloud {
  /// A property that the tests set and read.
  public var profile = Profile()
}
#endif
