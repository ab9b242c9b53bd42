#if Macros
import Foundation
import MainActorDefaults
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsCompatibility
import Plist
import Testing

@MainActor
@ObservableDefaults
private final class MainSettings {
  var count = 0
  var profile = LocalProfile()
  @DefaultsKey(userDefaultsKey: "custom") var keyed = "k"
  @ObservableOnly var selection = 0
  @Ignore var log: [String] = []
  var name = "a" {
    willSet { log.append(newValue) }
    didSet { log.append(oldValue) }
  }
}

private struct LocalProfile: Codable, Equatable {
  var name = "x"
}

@ObservableDefaults
private final class FreeSettings: Sendable {
  var count = 0
}

@MainActor
@ObservableCloud
private final class MainCloud {
  var count = 0
}

struct IsolationTests {
  private let store = InMemoryStore()

  @Test @MainActor func aMainActorClass() async {
    let settings = MainSettings(store: store, ignoredKeyPathsForExternalUpdates: [\.selection])
    let signals = Signals { settings.count }
    settings.count = 1
    settings.name = "b"
    settings.profile.name = "y"
    settings.selection = 1
    let store = store
    // Like a change by another process, which a store notices on another thread.
    await Task.detached { store.simulateExternalChange(2, for: "count") }.value
    #expect(settings.count == 2)
    #expect(await eventually { signals.values == [0, 2] })
    #expect(settings.log == ["b", "a"])
    #expect(store.contents == ["count": 2, "name": "b", "profile": ["name": "y"]])
    let cloud = MainCloud(developmentMode: true)
    cloud.count += 1
    #expect(cloud.count == 1)
  }

  @Test func aClassOfNoActor() async {
    let settings = FreeSettings(store: store)
    await Task.detached { settings.count += 1 }.value
    #expect(settings.count == 1)
  }

  @Test @MainActor func aModuleOfTheMainActor() async {
    let settings = MainActorSettings(store: store)
    let signals = Signals { settings.profile.name }
    let other = Signals { settings.count }
    settings.profile.name = "somebody"
    settings.paper = .sepia
    settings.papers = [.white, .sepia]
    settings.home = URL(filePath: "/")
    settings.volume = 0.7
    settings.selection = 5
    #expect(settings.log == ["will 0.7", "did 0.5"])
    #expect(
      store.contents == [
        "profile": ["name": "somebody", "tags": []], "paper": "sepia", "papers": ["white", "sepia"],
        "home": "file:///", "volume": 0.7,
      ])
    let store = store
    await Task.detached { store.simulateExternalChange(["name": "other", "tags": ["a"]], for: "profile") }.value
    #expect(settings.profile.tags == ["a"])
    #expect(await eventually { signals.values == ["nobody", "other"] })
    #expect(other.count == 0)
    await Task.detached { store.simulateExternalChange(nil, for: "profile") }.value
    #expect(settings.profile == Profile())
  }

  @Test @MainActor func aModuleOfTheMainActorObservingFirst() {
    let settings = ObservedFirstSettings(store: store)
    settings.count = 1
    settings.profile = Profile()
    #expect(store.contents == ["profile": ["name": "nobody", "tags": []]])
    settings.profile = nil
    #expect(store.contents == [:])
  }

  @Test func aClassOfNoActorInAModuleOfTheMainActor() {
    let settings = NonisolatedSettings(store: store)
    settings.count += 1
    #expect(store.contents == ["count": 1])
  }

  @Test @MainActor func cloudInAModuleOfTheMainActor() {
    let byHand = MainActorCloudSettings(developmentMode: true)
    byHand.profile.name = "a"
    #expect(byHand.profile.name == "a")
    #expect(byHand._developmentMode_)
    let backend = MockCloudBackend()
    let cloud = MainActorCloud(backend: backend)
    let signals = Signals { cloud.profile.name }
    backend.simulateChange(["profile": ["name": "other", "tags": []]])
    #expect(cloud.profile.name == "other")
    #expect(signals.values == ["nobody"])
  }
}
#endif
