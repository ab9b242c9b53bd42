import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsFoundation
import ObservableDefaultsTesting
import Plist
import Testing

@Suite(.isolatedDefaults)
struct CodingTests {
  private enum Theme: String { case light, dark }
  private enum Rank: Int, PropertyListValue, Codable { case low = 1, high }
  private struct Person: Codable, Equatable, Sendable { var name = "" }

  private struct Settings {
    @UserDefault("theme") var theme = Theme.light
    @UserDefault("themes") var themes = [Theme.light]
    @UserDefault("map") var map = ["a": Theme.light]
    @UserDefault("maybe") var maybe: Theme?
    @UserDefault("ranks") var ranks = [Rank.low]
    @Shared(.appStorage("app")) var app = [Theme.light]
    @Shared(.appStorage("appMap")) var appMap = ["a": Theme.light]
    @Shared(.cloud("cloud")) var cloud: Theme? = .dark
    @Shared(.fileStorage(URL(filePath: "/nowhere/theme.plist"))) var file = Theme.light
    @Shared(.fileStorage(URL(filePath: "/nowhere/themes.plist"))) var files: [Theme] = []
  }

  private var stored: PropertyListDictionary? { (DefaultsStores.current as? InMemoryStore)?.contents }

  @Test func rawValuesInCollections() {
    let settings = Settings()
    settings.theme = .dark
    settings.themes.append(.dark)
    settings.map["b"] = .dark
    settings.maybe = .dark
    settings.ranks.append(.high)
    settings.app = [.dark]
    settings.appMap = [:]
    settings.file = .dark
    settings.files = [.dark]
    #expect(
      stored == [
        "theme": "dark", "themes": ["light", "dark"], "map": ["a": "light", "b": "dark"], "maybe": "dark",
        "ranks": [1, 2], "app": ["dark"], "appMap": [:],
      ])
    #expect(Settings().file == .dark)
    #expect(Settings().files == [.dark])
    #expect(Settings().cloud == .dark)
    let key = DefaultKey("themes", default: [Theme]())
    #expect(DefaultsStores.current.reference(for: key).value == [.light, .dark])
  }

  @Test func dataOfOtherLibrariesIsRead() throws {
    let json = try JSONEncoder().encode(Person(name: "Ada"))
    let list = try PlistEncoder().encode(Person(name: "Bob"))
    let store = InMemoryStore(["json": .data(json), "text": .string(#"{"name": "Eve"}"#), "list": .data(list)])
    for (key, name) in [("json", "Ada"), ("text", "Eve"), ("list", "Bob")] {
      @UserDefault(key, store: store) var person = Person()
      @Shared(.appStorage(key, store: store)) var shared = Person()
      #expect((person.name, shared.name) == (name, name))
      @UserDefault(DefaultKey(key, default: Person(), coding: .jsonData), store: store) var asJSON
      #expect(asJSON.name == name)
      @UserDefault(key, store: store, coding: .jsonData) var named = Person()
      #expect(named.name == name)
      #expect($named === $asJSON)
    }
    @UserDefault("new", store: store, coding: .jsonData) var maybe: Person?
    maybe = Person(name: "Zoe")
    #expect(try store.load("new")?.data == JSONEncoder().encode(Person(name: "Zoe")))
  }

  @Test func nilIsRememberedByWrappers() {
    @UserDefault("a", nilPolicy: .remember) var a: Int? = 5
    @Shared(.appStorage("b", nilPolicy: .remember)) var b: Int? = 5
    #expect((a, b) == (5, 5))
    a = nil
    b = nil
    #expect((a, b) == (nil, nil))
    $a.reset()
    #expect(a == 5)
  }

  @Test func userDefaultsAsAStore() throws {
    let suite = "swift-plist-tests-\(UUID())"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer { defaults.removePersistentDomain(forName: suite) }
    @UserDefault("count", store: defaults) var count = 0
    @Shared(.appStorage("count", store: defaults)) var shared = 0
    count = 3
    #expect(defaults.integer(forKey: "count") == 3)
    #expect(shared == 3)
  }

  #if canImport(Darwin)
  @Test func debouncedValuesAreSavedInTheBackground() throws {
    let folder = try TestFolder()
    let store = PropertyListFileStore(url: folder.file(), saving: .debounced(.seconds(60)))
    try store.save(1, for: "count")
    #expect(try folder.names() == [])
    NotificationCenter.default.post(name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
    #expect(try folder.contents() == ["count": 1])
  }
  #endif

  @Test func theEnvironmentNamesTheStore() async throws {
    let folder = try TestFolder()
    let probe = try Probe("set-standard", "7", environment: ["OBSERVABLE_DEFAULTS_STORE": folder.file().path])
    #expect(await probe.status() == 0)
    #expect(try folder.contents() == ["value": 7])
    let home = folder.file("home").path
    let memory = try Probe(
      "set-standard", "7", environment: ["OBSERVABLE_DEFAULTS_STORE": "memory", "XDG_CONFIG_HOME": home])
    #expect(await memory.status() == 0)
    #expect(!FileManager.default.fileExists(atPath: home))
  }
}
