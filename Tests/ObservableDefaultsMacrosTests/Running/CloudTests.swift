#if Macros
import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsCompatibility
import ObservableDefaultsTesting
import Plist
import Testing

private enum Colour: String { case red, blue }
private struct Style: Codable, Equatable {
  var size = 12.0
}

@ObservableCloud
private final class Settings {
  var name: String = "Test"
  var number = 1
  var colour = Colour.red
  var style = Style()
  var link: URL?
  var colours: [String: Colour] = [:]
  @CloudKey(keyValueStoreKey: "by-key") var keyed = "k"
  @CloudBacked(keyValueStoreKey: "by-backed") var backed = "b"
  @CloudKey(keyValueStoreKey: "loses") @CloudBacked(keyValueStoreKey: "wins") var both = "2"
  @ObservableOnly var observed = 1
  @Ignore var ignored = 2
}

private let asksForSync = true

@ObservableCloud(prefix: "p_", observeFirst: true, syncImmediately: asksForSync)
private final class ObservedFirst {
  var observed = "o"
  @CloudBacked var stored = "s"
}

@ObservableCloud(syncImmediately: true, developmentMode: true)
private final class Developing {
  var number = 1
}

@ObservableCloud(autoInit: false, prefix: "class_")
private final class ByHand {
  var number = 1

  init(prefix: String?, syncing: Bool = false, developing: Bool, observing: Bool = true) {
    if let prefix { _prefix = prefix }
    _syncImmediately = syncing
    _developmentMode = developing
    if !_developmentMode_ && observing {
      _cloudObserver = CloudObservation(host: self, prefix: _prefix)
    }
  }

  var description: String { "\(_prefix) \(_syncImmediately) \(_developmentMode) \(_cloudObserver?.prefix ?? "none")" }
}

@ObservableCloud
private final class WithPlainInitializer {
  var number = 1

  convenience init() { self.init(prefix: nil, syncImmediately: false, developmentMode: true) }
}

@Suite(.isolatedDefaults)
struct CloudTests {
  private let backend = MockCloudBackend()

  @Test func storesWhatIsSet() {
    let settings = Settings(backend: backend)
    #expect(settings.name == "Test")
    settings.name = "Test"
    #expect(backend.contents == [:])
    settings.name = "new"
    settings.number += 1
    settings.colour = .blue
    settings.style.size = 14
    settings.link = URL(filePath: "/")
    settings.colours = ["a": .blue]
    settings.keyed = "K"
    settings.backed = "B"
    settings.both = "W"
    settings.observed = 5
    settings.ignored = 6
    #expect(
      backend.contents == [
        "name": "new", "number": 2, "colour": "blue", "style": ["size": 14.0], "link": "file:///",
        "colours": ["a": "blue"], "by-key": "K", "by-backed": "B", "wins": "W",
      ])
    let other = Settings(backend: backend)
    #expect(other.style == Style(size: 14))
    #expect(other.colours == ["a": .blue])
    other.link = nil
    #expect(settings.link == nil)
    #expect(backend.contents["link"] == nil)
  }

  @Test func otherMachinesChanges() {
    let settings = Settings(backend: backend)
    let (name, number) = (Signals { settings.name }, Signals { settings.number })
    backend.simulateChange(["name": "other's", "number": 1], reason: .serverChange)
    #expect(settings.name == "other's")
    #expect(name.values == ["Test"])
    #expect(number.count == 0)
    backend.simulateReplacement(["number": 7])
    #expect(settings.name == "Test")
    #expect(settings.number == 7)
    #expect(name.values == ["Test", "other's"])
    #expect(number.values == [1])
    settings.number = 8
    #expect(number.values == [1, 7])
  }

  @Test func directChanges() {
    let settings = Settings(backend: backend)
    #expect(settings.name == "Test")
    backend.set("direct", for: "name")
    #expect(settings.name == "direct")
    backend.set(nil, for: "name")
    #expect(settings.name == "Test")
  }

  @Test func observeFirstModeWithPrefix() {
    let settings = ObservedFirst(backend: backend)
    let signals = Signals { settings.observed }
    settings.observed = "new"
    settings.stored = "new"
    #expect(backend.contents == ["p_stored": "new"])
    #expect(signals.values == ["o"])
    ObservedFirst(backend: backend, prefix: "q_").stored = "q"
    #expect(backend.contents == ["p_stored": "new", "q_stored": "q"])
  }

  @Test func synchronizing() {
    let settings = Settings(backend: backend)
    settings.number = 2
    let before = backend.synchronizations
    settings.number = 3
    #expect(backend.synchronizations == before)
    let eager = ObservedFirst(backend: backend)
    eager.stored = "a"
    let asked = backend.synchronizations
    eager.stored = "b"
    eager.stored = "b"
    eager.observed = "c"
    #expect(backend.synchronizations == asked + 1)
    let lazy = ObservedFirst(backend: backend, syncImmediately: false)
    lazy.stored = "c"
    let askedThen = backend.synchronizations
    lazy.stored = "d"
    #expect(backend.synchronizations == askedThen)
    let other = Settings(backend: backend, syncImmediately: true)
    other.number = 4
    let askedLast = backend.synchronizations
    other.number = 5
    #expect(backend.synchronizations == askedLast + 1)
  }

  @Test func developmentMode() {
    let settings = Developing()
    #expect(settings._developmentMode_)
    let signals = Signals { settings.number }
    settings.number = 2
    #expect(settings.number == 2)
    #expect(signals.values == [1])
    #expect(Developing().number == 1)
    let asked = Settings(backend: backend, developmentMode: true)
    asked.number = 2
    #expect(asked._developmentMode_)
    #expect(backend.contents == [:])
    #expect(!Settings(backend: backend)._developmentMode_)
    let refused = Developing(backend: backend, developmentMode: false)
    refused.number = 3
    #expect(backend.contents == ["number": 3])
  }

  @Test(arguments: [("XCODE_RUNNING_FOR_PREVIEWS", "1"), ("OBSERVABLE_DEFAULTS_DEV_MODE", "true")])
  func developmentModeByTheEnvironment(_ name: String, _ value: String) async {
    await #expect(processExitsWith: .success) { [name, value] in
      unsafe setenv(name, value, 1)
      let backend = MockCloudBackend()
      let settings = Settings(backend: backend)
      settings.number = 2
      precondition(settings._developmentMode_ && settings.number == 2 && backend.contents.isEmpty)
    }
  }

  @Test func withoutABackendItIsTheUsersCloudOrItsReplacement() {
    Settings().number = 2
    Settings(prefix: "a_", syncImmediately: true, developmentMode: false).number = 3
    #expect(Settings().number == 2)
    #expect(Settings(prefix: "a_").number == 3)
    @Shared(.cloud("number")) var number = 0
    #expect(number == 2)
    withDefaultsStore(InMemoryStore()) { #expect(Settings().number == 1) }
  }

  @Test func writtenByHand() {
    #expect(ByHand(prefix: nil, developing: false).description == "class_ false false class_")
    #expect(ByHand(prefix: "b_", syncing: true, developing: true).description == "b_ true true none")
    let settings = ByHand(prefix: "b_", developing: false)
    let signals = Signals { settings.number }
    let deaf = ByHand(prefix: "b_", developing: false, observing: false)
    let silence = Signals { deaf.number }
    ByHand(prefix: "b_", developing: false).number = 2
    #expect(settings.number == 2)
    #expect(signals.values == [1])
    #expect(deaf.number == 2)
    #expect(silence.count == 0)
    deaf.number = 3
    #expect(silence.values == [2])
    ByHand(prefix: "b_", developing: true).number = 9
    #expect(settings.number == 3)
  }

  @Test func aPlainInitializerOfItsOwn() {
    #expect(WithPlainInitializer()._developmentMode_)
  }

  @Test func limits() {
    let settings = Settings(backend: backend)
    let signals = Signals { settings.name }
    settings.name = String(repeating: "x", count: 2 << 20)
    #expect(backend.contents == [:])
    #expect(signals.count == 1)
    settings.name = "short"
    #expect(backend.contents == ["name": "short"])
  }
}
#endif
