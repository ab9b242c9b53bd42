#if Macros
public import Foundation
public import ObservableDefaults

// What an app whose declarations are the main actor's writes: nothing here says so.

/// A type whose conformances are the main actor's.
public struct Profile: Codable, Equatable {
  public var name = "nobody"
  public var tags: [String] = []

  public init() {}
}

/// An enumeration whose conformances are the main actor's.
public enum Paper: String {
  case white, sepia
}

/// Settings without a word of isolation.
@ObservableDefaults
public final class MainActorSettings {
  public var count = 0
  public var profile = Profile()
  public var paper = Paper.white
  public var papers: [Paper] = []
  public var home: URL?
  @ObservableOnly public var selection = 0
  @Ignore public var log: [String] = []
  public var volume = 0.5 {
    willSet { log.append("will \(newValue)") }
    didSet { log.append("did \(oldValue)") }
  }
}

/// Settings that say how the module is built, as sources written for another library do.
@ObservableDefaults(observeFirst: true, defaultIsolationIsMainActor: true)
public final class ObservedFirstSettings {
  public var count = 0
  @DefaultsBacked public var profile: Profile?
}

/// Settings that leave the module's isolation.
@ObservableDefaults
nonisolated public final class NonisolatedSettings: Sendable {
  public var count = 0
}

/// Settings in the cloud, with an initializer written by hand.
@ObservableCloud(autoInit: false, defaultIsolationIsMainActor: true)
public final class MainActorCloudSettings {
  public var count = 0
  public var profile = Profile()

  public init(developmentMode: Bool) {
    _developmentMode = developmentMode
    _prefix = "mine_"
    if !_developmentMode_ { _cloudObserver = CloudObservation(host: self, prefix: _prefix) }
  }
}

/// Settings in the cloud.
@ObservableCloud
public final class MainActorCloud {
  public var profile = Profile()
}
#endif
