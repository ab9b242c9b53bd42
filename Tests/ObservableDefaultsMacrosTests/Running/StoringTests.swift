#if Macros
import Foundation
import ObservableDefaults
import ObservableDefaultsCompatibility
import ObservableDefaultsFoundation
import Plist
import Testing

@ObservableDefaults(prefix: "app_")
private final class Settings: LocatedSettings {
  var name = "Test"
  var age: Int = 18
  @DefaultsKey(userDefaultsKey: "by-key") var keyed = "k"
  @DefaultsBacked(userDefaultsKey: "by-backed") var backed = "b"
  @DefaultsKey(userDefaultsKey: "loses") @DefaultsBacked(userDefaultsKey: "wins") var both = "2"
  @DefaultsKey(userDefaultsKey: Keys.computed) var computed = "c"
  @DefaultsKey(userDefaultsKey: nil) var unnamed = "n"
  var `default` = true
  @ObservableOnly var observed = 1
  @Ignore var ignored = 2
  static nonisolated(unsafe) var shared = 3
  let constant = 4
  var sum: Int { age + observed }
  private(set) var count = 0

  func increment() { count += 1 }
}

private enum Keys {
  static let computed: String? = "by-" + "expression"
}

@ObservableDefaults(observeFirst: true)
private final class ObservedFirst: LocatedSettings {
  var observed = "o"
  @DefaultsKey(userDefaultsKey: "unused") var alsoObserved = "o"
  @DefaultsBacked var stored = "s"
  @DefaultsBacked(userDefaultsKey: "renamed") var keyed: Int?
  @Ignore var ignored = 1
}

struct StoringTests {
  @Test(arguments: LocationKind.allCases)
  func standardMode(_ kind: LocationKind) throws {
    let location = try TestLocation(kind)
    let settings = location.make(Settings.self)
    #expect(settings.name == "Test")
    #expect(try location.stored("app_name") == nil)
    settings.name = "new"
    settings.age += 1
    settings.keyed = "K"
    settings.backed = "B"
    settings.both = "W"
    settings.computed = "C"
    settings.unnamed = "N"
    settings.default = false
    settings.observed = 10
    settings.ignored = 20
    settings.increment()
    let stored: [(String, PropertyList)] = [
      ("name", "new"), ("age", 19), ("by-key", "K"), ("by-backed", "B"), ("wins", "W"), ("by-expression", "C"),
      ("unnamed", "N"), ("default", false), ("count", 1),
    ]
    for (key, value) in stored { #expect(try location.stored("app_\(key)") == value, "\(key)") }
    for key in ["keyed", "backed", "both", "loses", "computed", "observed", "ignored", "shared", "constant", "sum"] {
      #expect(try location.stored("app_\(key)") == nil, "\(key)")
    }
    #expect(try location.stored("name") == nil)
    #expect(settings.sum == 29)
    let other = location.make(Settings.self)
    #expect(other.name == "new")
    #expect(other.age == 19)
    #expect(other.default == false)
    #expect(other.observed == 1)
    #expect(other.ignored == 2)
  }

  @Test(arguments: LocationKind.allCases)
  func observeFirstMode(_ kind: LocationKind) throws {
    let location = try TestLocation(kind)
    let settings = location.make(ObservedFirst.self)
    let observed = Signals(isResignalled: false) { settings.observed + settings.alsoObserved }
    let stored = Signals { settings.stored }
    let ignored = Signals { settings.ignored }
    settings.observed = "new"
    settings.alsoObserved = "new"
    settings.stored = "new"
    settings.keyed = 5
    settings.ignored = 6
    #expect(observed.values == ["oo", "newo"])
    #expect(stored.values == ["s"])
    #expect(ignored.count == 0)
    #expect(try location.stored("stored") == "new")
    #expect(try location.stored("renamed") == 5)
    for key in ["observed", "alsoObserved", "unused", "keyed", "ignored"] {
      #expect(try location.stored(key) == nil, "\(key)")
    }
  }

  @Test(arguments: LocationKind.allCases)
  func defaultsAfterRemoval(_ kind: LocationKind) async throws {
    let location = try TestLocation(kind)
    let settings = location.make(Settings.self)
    settings.name = "stored"
    #expect(settings.name == "stored")
    try location.change(nil, for: "app_name")
    #expect(await eventually { settings.name == "Test" })
    settings.name = "Test"
    #expect(try location.stored("app_name") == nil)
    settings.name = "again"
    #expect(try location.stored("app_name") == "again")
  }

  @Test func nothingIsStoredTwice() {
    let store = InMemoryStore()
    let settings = Settings(store: store)
    let saves = Signals { settings.age }
    settings.age = 18
    #expect(store.contents == [:])
    settings.age = 19
    settings.age = 19
    #expect(saves.values == [18])
    #expect(store.contents == ["app_age": 19])
  }

  @Test func whatIsRegisteredComesBeforeWhatIsDeclared() throws {
    let registered: PropertyListDictionary = ["app_name": "registered", "app_age": 40]
    let list = SearchListStore([
      .init(.application, InMemoryStore()), .init(.registration, InMemoryStore(registered)),
    ])
    let settings = Settings(store: list)
    #expect(settings.name == "registered")
    #expect(settings.age == 40)
    settings.age = 41
    #expect(settings.age == 41)
    try list.remove("app_age")
    #expect(settings.age == 40)
    let suite = "swift-plist-macro-tests-\(UUID())"
    defer {
      UserDefaults.standard.removePersistentDomain(forName: suite)
      removeFiles(of: suite)
    }
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.register(defaults: ["registered_name": "registered"])
    let other = Settings(userDefaults: defaults, prefix: "registered_")
    #expect(other.name == "registered")
    other.name = "stored"
    #expect(other.name == "stored")
    defaults.removeObject(forKey: "registered_name")
    #expect(other.name == "registered")
    #expect(other.age == 18)
  }

  @Test func whatIsOfAnotherTypeIsKeptUntilItIsSet() {
    let store = InMemoryStore(["app_age": "old"])
    let settings = Settings(store: store)
    #expect(settings.age == 18)
    #expect(store.contents["app_age"] == "old")
    settings.age = 18
    #expect(store.contents["app_age"] == 18)
  }

  @Test func whatCannotBeStoredShows() throws {
    let store = InMemoryStore()
    let settings = Settings(store: store)
    let signals = Signals { settings.name }
    store.simulateFailure(DefaultsError(.unwritableFile, "full"))
    settings.name = "unsaved"
    #expect(settings.name == "unsaved")
    #expect(signals.count == 1)
    store.simulateFailure(nil)
    settings.name = "saved"
    #expect(store.contents["app_name"] == "saved")
  }
}
#endif
