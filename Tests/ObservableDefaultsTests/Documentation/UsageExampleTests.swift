import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsTesting
import Plist
import Testing

extension DefaultKeys {
  static let volume = DefaultKey("volume", default: 0.5)
  static let theme = DefaultKey("theme", default: Theme.light)
  static let lastFile = DefaultKey<URL?>("lastFile")
}

private struct User: Codable, Equatable {
  var name = "guest"
}

private struct Document: Codable, Equatable {
  var title = "untitled"
}

private struct Item: Equatable {
  var name: String
}

private let url = URL(filePath: "/tmp/document.plist")

private struct Settings {
  @Shared(.appStorage("isOn")) var isOn = false
  @Shared(.inMemory("selection")) var selection: Item?
  @Shared(.fileStorage(url)) var document = Document()
  @Shared(.cloud("volume")) var volume = 0.5
}

private struct Switch {  // shares the value of its parent: Switch(isOn: settings.$isOn)
  @Shared var isOn: Bool
}

private struct EnvironmentKey: PersistenceKey {
  let name: String
  func load() -> String? { ProcessInfo.processInfo.environment[name] }
  func save(_ value: String) { unsafe setenv(name, value, 1) }
  var updates: AsyncStream<String> { AsyncStream { $0.finish() } }  // no changes by others
}

@Suite(.isolatedDefaults)
struct UsageExampleTests {
  private let lines = Recorder<String>()

  private func print(_ items: Any...) { lines.record(items.map { "\($0)" }.joined(separator: " ")) }

  @Test func declaredKeys() throws {
    @UserDefault(.volume) var volume
    @UserDefault(.theme) var theme
    @UserDefault(.lastFile) var lastFile
    #expect(volume == Double(0.5) && theme == .light && lastFile == nil)
    volume = 1
    #expect(try DefaultsStores.current.load("volume") == 1.0)
  }

  @Test func aKey() throws {
    let key = DefaultKey("launch.count", default: 0)  // the dot has no meaning
    let launchCount = DefaultsStores.current.reference(for: key)
    launchCount.value += 1  // stored for "launch.count"

    #expect(try DefaultsStores.current.load("launch.count") == 1)
    #expect(key.defaultValue == 0)
  }

  @Test func nilPolicy() throws {
    @UserDefault("font") var font: String? = "Menlo"
    @UserDefault("title", nilPolicy: .remember) var title: String? = "untitled"
    (font, title) = ("Courier", "Notes")
    (font, title) = (nil, nil)  // font is "Menlo" again; title is nil

    #expect(font == "Menlo")
    #expect(title == nil)
    #expect(try DefaultsStores.current.load("font") == nil)
  }

  @Test func codings() throws {
    let seconds = DefaultsCoding<Duration>("seconds") {
      .real($0 / .seconds(1))
    } decode: { stored in
      guard let number = stored.double else {
        throw DefaultsError(.undecodableValue, "expected a number, found \(stored)")
      }
      return .seconds(number)
    }
    let timeout = DefaultKey("timeout", default: Duration.seconds(30), coding: seconds)
    let user = DefaultKey("user", default: User(), coding: .jsonData)  // as another library stores it

    let store = InMemoryStore(["timeout": 2.5])
    #expect(store.reference(for: timeout).value == .milliseconds(2500))
    store.reference(for: timeout).value = .seconds(4)
    store.reference(for: user).value = User(name: "Ada")
    #expect(store.contents == ["timeout": 4.0, "user": .data(Data(#"{"name":"Ada"}"#.utf8))])
    store.simulateExternalChange("soon", for: "timeout")
    #expect("\(try #require(store.reference(for: timeout).error))".contains("expected a number, found"))
  }

  @Test func properties() {
    struct Settings {
      @UserDefault(.launchCount) var launchCount  // a key declared in DefaultKeys
      @UserDefault("name") var name = "Ada"  // a key by its name, with a default
      @UserDefault("lastFile") var lastFile: URL?  // nil when nothing is stored
    }

    let settings = Settings()
    let print = print
    settings.launchCount += 1
    let token = settings.$launchCount.observe { old, new in print(old, "→", new) }

    settings.launchCount += 1
    #expect(lines.events == ["1 → 2"])
    #expect(settings.name == "Ada" && settings.lastFile == nil)
    token.cancel()
  }

  @Test func references() async throws {
    let count = DefaultsStores.current.reference(for: .launchCount)
    let print = print
    let task = Task {
      let count = DefaultsStores.current.reference(for: .launchCount)
      count.value += 1  // stored when the assignment returns
      count.withLock { $0 += 1 }  // atomic among threads
      let token = count.observe { old, new in print(old, "→", new) }
      for await value in count.updates { print(value) }
      token.cancel()
    }
    #expect(await eventually { count.value == 2 })
    let isDelivered = await eventually {
      count.withLock { $0 += 1 }
      return lines.events.contains { !$0.contains("→") }
    }
    #expect(isDelivered)
    task.cancel()
    await task.value
    #expect(lines.events.contains { $0.contains("→") })
    #expect(try DefaultsStores.current.load("launchCount")?.int == count.value)
  }

  @Test func partsOfAValue() {
    @UserDefault("user") var user = User()
    let name = $user.name  // SharedReference<String>
    name.value = "Ada"  // stores the user

    #expect(user == User(name: "Ada"))
    #expect($user.storedPropertyList == ["name": "Ada"])
  }

  @Test func sharedProperties() {
    let settings = Settings()
    Switch(isOn: settings.$isOn).isOn = true
    #expect(settings.isOn)
    settings.document.title = "Notes"
    #expect(Settings().document == Document(title: "Notes"))
    #expect(settings.selection == nil && settings.volume == Double(0.5))
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func aKeyOfYourOwn() async {
    await #expect(processExitsWith: .success) {
      @Shared(EnvironmentKey(name: "EDITOR")) var editor = "ed"
      editor = "vi"
      precondition(ProcessInfo.processInfo.environment["EDITOR"] == "vi" && editor == "vi")
    }
  }

  @Test func keysOfStores() throws {
    let key: StoreKey<Double> = .appStorage("volume")
    try key.save(0.75)
    @Shared(key) var volume = 0.5  // 0.75, since that is stored

    #expect(volume == Double(0.75))
    #expect(try key.load() == Double(0.75))
  }

  @Test func keysInMemory() {
    let key: InMemoryKey<[Item]> = .inMemory("recent")  // Item need not be Codable
    @Shared(key) var recent = []
    recent.append(Item(name: "Notes"))  // visible in all properties of the key

    @Shared(.inMemory("recent")) var others: [Item] = []
    #expect(others == [Item(name: "Notes")])
    #expect(key.load() == others)
  }
}
