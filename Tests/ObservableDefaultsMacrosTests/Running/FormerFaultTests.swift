#if Macros
import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsCompatibility
import ObservableDefaultsFoundation
import Plist
import Testing

private final class Evaluations: @unchecked Sendable {
  static let shared = Evaluations()
  private let lock = NSLock()
  private var counts: [String: Int] = [:]

  func count(_ name: String) -> Int { lock.withLock { counts[name, default: 0] } }

  func next(_ name: String) -> Int {
    lock.withLock {
      counts[name, default: 0] += 1
      return 0
    }
  }
}

@ObservableDefaults
private final class Settings: LocatedSettings {
  var first = "1"
  var second = "2"
}

@ObservableDefaults
private final class Counted {
  var stored = Evaluations.shared.next("stored")
  var typed: Int = Evaluations.shared.next("typed")
  @ObservableOnly var observed = Evaluations.shared.next("observed")
  @Ignore var ignored = Evaluations.shared.next("ignored")
}

@ObservableCloud(developmentMode: true)
private final class CountedCloud {
  var stored = Evaluations.shared.next("cloud")
}

@ObservableDefaults
private final class ConditionalSettings {
  var theme: String = if Evaluations.shared.count("none") == 0 { "dark" } else { "light" }
  var size =
    switch Evaluations.shared.count("none") {
    case 0: 12
    default: 14
    }
  @ObservableOnly var zoom = if Evaluations.shared.count("none") == 0 { 1.0 } else { 2.0 }
}

private class BaseOfSettings {
  let number: Int
  init() { number = 1 }
}

@ObservableDefaults(autoInit: false)
private final class DerivedSettings: BaseOfSettings {
  var name = "x"

  init(_ store: any DefaultsStore) {
    super.init()
    _defaultsHost.use(store)
    observerStarter()
  }
}

@MainActor private func initialCount() -> Int { 3 }

@MainActor
@ObservableDefaults
private final class MainActorInitialValues {
  var count = initialCount()
  @ObservableOnly var other = initialCount()
}

struct FormerFaultTests {
  @Test func conditionalInitialValues() {
    let store = InMemoryStore()
    let settings = ConditionalSettings(store: store)
    #expect((settings.theme, settings.size, settings.zoom) == ("dark", 12, 1))
    settings.theme = "light"
    settings.size = 20
    #expect(store.contents == ["theme": "light", "size": 20])
    settings.resetStorage(of: \.size)
    #expect(settings.size == 12)
  }

  @Test func superclassesWithoutTheMacro() {
    let store = InMemoryStore()
    let settings = DerivedSettings(store)
    let signals = Signals { settings.name }
    settings.name = "y"
    #expect((settings.number, settings.name) == (1, "y"))
    #expect(store.contents == ["name": "y"])
    #expect(signals.values == ["x"])
  }

  @Test @MainActor func initialValuesOfTheMainActor() {
    let settings = MainActorInitialValues(store: InMemoryStore())
    #expect((settings.count, settings.other) == (3, 3))
  }

  @Test(arguments: LocationKind.allCases)
  func whatIsObservedBeginsWithWhatIsStored(_ kind: LocationKind) async throws {
    let location = try TestLocation(kind)
    try location.change("stored", for: "first")
    try location.change("stored", for: "second")
    let settings = location.make(Settings.self)
    let (first, second) = (Signals { settings.first }, Signals { settings.second })
    try location.change(nil, for: "first")
    #expect(await eventually { settings.first == "1" })
    #expect(first.values == ["stored"])
    #expect(settings.second == "stored")
    #expect(second.count == 0)
  }

  @Test(arguments: LocationKind.allCases)
  func aValueIsStoredAgainAfterItWasRemoved(_ kind: LocationKind) async throws {
    let location = try TestLocation(kind)
    let settings = location.make(Settings.self, ignoreExternalChanges: true)
    settings.first = "mine"
    try location.change(nil, for: "first")
    if kind == .file { #expect(await eventually { settings.first == "1" }) }
    settings.first = "mine"
    #expect(try location.stored("first") == "mine")
    #expect(settings.first == "mine")
  }

  @Test(arguments: LocationKind.allCases)
  func keyPathsAreIgnoredWithAPrefixToo(_ kind: LocationKind) async throws {
    let location = try TestLocation(kind)
    let settings = location.make(Settings.self, prefix: "p_", ignoring: [\.first])
    let (first, second) = (Signals { settings.first }, Signals { settings.second })
    try location.change("changed", for: "p_first")
    try location.change("changed", for: "p_second")
    #expect(await eventually { settings.first == "changed" && settings.second == "changed" })
    #expect(first.count == 0)
    #expect(second.count == 1)
  }

  @Test(arguments: LocationKind.allCases, [false, true])
  func observersSeeTheOldValue(_ kind: LocationKind, ignoring: Bool) async throws {
    let location = try TestLocation(kind)
    let settings = location.make(Settings.self, ignoreExternalChanges: ignoring)
    let signals = Signals { settings.first }
    settings.first = "own"
    #expect(signals.values == ["1"])
    guard !ignoring else { return }
    try location.change("other's", for: "first")
    #expect(await eventually { settings.first == "other's" })
    #expect(signals.values == ["1", "own"])
  }

  @Test func initialValuesAreMadeOnce() {
    let counted = Counted(store: InMemoryStore())
    let cloud = CountedCloud()
    #expect(counted.stored + counted.typed + counted.observed + counted.ignored + cloud.stored == 0)
    counted.stored = 5
    counted.observed = 5
    cloud.stored = 5
    #expect(counted.stored + counted.observed + cloud.stored == 15)
    for name in ["stored", "typed", "observed", "ignored", "cloud"] {
      #expect(Evaluations.shared.count(name) == 1, "\(name)")
    }
  }
}
#endif
