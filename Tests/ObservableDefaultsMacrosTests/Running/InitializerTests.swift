#if Macros
import Foundation
import ObservableDefaults
import ObservableDefaultsCompatibility
import ObservableDefaultsFoundation
import ObservableDefaultsTesting
import Plist
import Testing

@ObservableDefaults
private final class Settings: LocatedSettings {
  var name = "Test"
}

private let namedStore = InMemoryStore(["name": "named"])

@ObservableDefaults(store: namedStore)
private final class NamedStore {
  var name = "Test"
}

@ObservableDefaults(suiteName: "group.org.example.swift-plist-tests", store: nil)
private final class Suite {
  var name = "Test"
}

@ObservableDefaults(autoInit: false)
private final class ByHand {
  var name = "guest"
  var age: Int = 18
  @ObservableOnly var observed: String
  let constant: Int

  init(name: String, observed: String, defaults: UserDefaults, isListening: Bool = true) {
    self.observed = observed
    constant = 1
    _userDefaults = defaults
    _prefix = "hand_"
    self.name = name
    if isListening { observerStarter(observableKeysBlacklist: [\.age]) }
  }

  init(ignoring: Bool) {
    observed = ""
    constant = 2
    _isExternalNotificationDisabled = ignoring
    observerStarter()
  }

  var prefixInUse: String { _prefix }
  var defaultsInUse: any DefaultsStoreSource { _userDefaults }
  var isIgnoring: Bool { _isExternalNotificationDisabled }
}

@ObservableDefaults
private final class WithPlainInitializer {
  var name = "Test"
  @Ignore var isPlain = false

  convenience init() {
    self.init(userDefaults: nil, prefix: "plain_")
    isPlain = true
  }
}

@Suite(.isolatedDefaults)
struct InitializerTests {
  private var current: PropertyListDictionary? { (DefaultsStores.current as? InMemoryStore)?.contents }

  @Test func generated() throws {
    Settings().name = "current"
    #expect(current == ["name": "current"])
    Settings(prefix: "a_").name = "prefixed"
    #expect(current == ["name": "current", "a_name": "prefixed"])
    let explicit = Settings(
      userDefaults: nil, ignoreExternalChanges: nil, prefix: nil, ignoredKeyPathsForExternalUpdates: [])
    explicit.name = "b"
    #expect(current?["name"] == "b")
    let make: () -> Settings = Settings.init
    #expect(make().name == "b")
    let store = InMemoryStore()
    let other = Settings(
      store: store, ignoreExternalChanges: true, prefix: "c_", ignoredKeyPathsForExternalUpdates: [\.name])
    other.name = "c"
    #expect(store.contents == ["c_name": "c"])
    let location = try TestLocation(.userDefaults)
    location.make(Settings.self, prefix: "d_").name = "d"
    #expect(try location.stored("d_name") == "d")
    #expect(current?.count == 2)
  }

  @Test func withANamedStore() {
    let settings = NamedStore()
    #expect(settings.name == "named")
    settings.name = "changed"
    #expect(namedStore.contents == ["name": "changed"])
    let other = InMemoryStore()
    NamedStore(store: other).name = "other"
    #expect(other.contents == ["name": "other"])
    #expect(settings.name == "changed")
  }

  @Test func suitesAreIsolatedToo() {
    let settings = Suite()
    settings.name = "in memory"
    #expect(Suite().name == "in memory")
    #expect(current == [:])
    withDefaultsStore(InMemoryStore()) { #expect(Suite().name == "Test") }
    #if os(Linux)
    #expect(!FileManager.default.fileExists(atPath: suiteFile("group.org.example.swift-plist-tests").path))
    #endif
  }

  @Test func writtenByHand() async throws {
    let suite = "swift-plist-macro-tests-\(UUID())"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer {
      UserDefaults.standard.removePersistentDomain(forName: suite)
      removeFiles(of: suite)
    }
    let settings = ByHand(name: "alice", observed: "seen", defaults: defaults)
    #expect(settings.observed == "seen")
    #expect(settings.prefixInUse == "hand_")
    #expect(settings.defaultsInUse as? UserDefaults === defaults)
    #expect(defaults.string(forKey: "hand_name") == "alice")
    #expect(settings.name == "alice")
    let (name, age) = (Signals { settings.name }, Signals { settings.age })
    defaults.removeObject(forKey: "hand_name")
    defaults.set(30, forKey: "hand_age")
    #expect(settings.name == "guest")
    #expect(settings.age == 30)
    #expect(name.count == 1)
    #expect(age.count == 0)
  }

  @Test func withoutStartingObservers() throws {
    let suite = "swift-plist-macro-tests-\(UUID())"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer {
      UserDefaults.standard.removePersistentDomain(forName: suite)
      removeFiles(of: suite)
    }
    let settings = ByHand(name: "alice", observed: "", defaults: defaults, isListening: false)
    let signals = Signals { settings.name }
    defaults.set("changed", forKey: "hand_name")
    #expect(settings.name == "changed")
    #expect(signals.count == 0)
    settings.name = "own"
    #expect(signals.values == ["changed"])
  }

  @Test func ignoringByHand() {
    for ignoring in [false, true] {
      let settings = ByHand(ignoring: ignoring)
      #expect(settings.isIgnoring == ignoring)
      let signals = Signals { settings.name }
      ByHand(ignoring: true).name = "other \(ignoring)"
      #expect(signals.count == (ignoring ? 0 : 1))
    }
  }

  @Test func aPlainInitializerOfItsOwn() {
    let settings = WithPlainInitializer()
    settings.name = "x"
    #expect(settings.isPlain)
    #expect(current == ["plain_name": "x"])
  }

  @Test func aPrefixWithADotIsAnError() {
    let settings = Settings(prefix: "a.b")
    settings.name = "lost"
    #expect((settings.storageError(of: \Settings.name) as? DefaultsError)?.code == .invalidName)
  }

  @Test func aSuiteThatCannotBeStopsTheProcess() async {
    await #expect(processExitsWith: .failure) { _DefaultsHost(suiteName: "../elsewhere").check() }
  }
}

extension _DefaultsHost {
  fileprivate func check() { _ = _BackedProperty("name", default: 0).value(in: self) }
}
#endif
