import Foundation
import Observation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsTesting
import Plist
import Testing

extension DefaultKeys {
  fileprivate static let nickname = DefaultKey<String?>("nickname", default: "nobody", nilPolicy: .remember)
}

@Suite(.isolatedDefaults)
struct UserDefaultTests {
  private struct Settings {
    @UserDefault(.launchCount) var launchCount
    @UserDefault(.theme) var theme
    @UserDefault(.lastFile) var lastFile
    @UserDefault("name") var name = "x"
    @UserDefault("volume") var volume: Double?
    @UserDefault("with.dots@signs") var odd = [1, 2]
  }

  private var stored: PropertyListDictionary? { (DefaultsStores.current as? InMemoryStore)?.contents }

  @Test func inAStruct() {
    let settings = Settings()
    #expect(settings.launchCount == 0)
    #expect(settings.name == "x")
    #expect(settings.volume == nil)
    #expect(stored == [:])
    settings.launchCount += 1
    settings.theme = .dark
    settings.lastFile = URL(filePath: "/tmp/a b")
    settings.volume = 2
    settings.odd.append(3)
    #expect(
      stored == [
        "launchCount": 1, "theme": "dark", "lastFile": "file:///tmp/a%20b", "volume": 2.0,
        "with.dots@signs": [1, 2, 3],
      ])
    let other = Settings()
    #expect(other.launchCount == 1)
    #expect(other.theme == .dark)
    #expect(other.lastFile?.path == "/tmp/a b")
    other.volume = nil
    #expect(settings.volume == nil)
    #expect(stored?["volume"] == nil)
    #expect(settings.$launchCount === other.$launchCount)
  }

  @Test func observed() {
    let settings = Settings()
    let changes = Recorder<String>()
    let token = settings.$launchCount.observe { old, new in changes.record("\(old) \(new)") }
    settings.launchCount = 5
    Settings().launchCount += 1
    #expect(changes.events == ["0 5", "5 6"])
    settings.$launchCount.reset()
    #expect(changes.events.last == "6 0")
    withExtendedLifetime(token) {}
  }

  @Test func inAClass() {
    final class Model {
      @UserDefault("inClass") var count = 1
    }
    let model = Model()
    model.count += 1
    #expect(Model().count == 2)
  }

  @Observable
  final class ObservableModel {
    var title = "title"
    @ObservationIgnored @UserDefault("count") var count = 1
  }

  @Test func inAnObservableClass() {
    let model = ObservableModel()
    let changes = Recorder<Int>()
    withObservationTracking {
      _ = model.count
    } onChange: {
      changes.record(1)
    }
    model.title = "other"
    #expect(changes.events == [])
    ObservableModel().count = 2
    #expect(changes.events == [1])
    #expect(model.count == 2)
  }

  @Test func nilIsRememberedOrRemoved() {
    @UserDefault(.nickname) var nickname
    @UserDefault(DefaultKey<String?>("removed", default: "nobody")) var removed
    nickname = "Ada"
    removed = "Ada"
    nickname = nil
    removed = nil
    #expect(nickname == nil)
    #expect(removed == "nobody")
    #expect(stored == ["nickname": ["$null": true]])
    #expect(UserDefault(.nickname).wrappedValue == nil)
    $nickname.reset()
    #expect(nickname == "nobody")
  }

  @Test func aStoreOfOnesOwn() {
    let store = InMemoryStore(["name": "theirs"])
    @UserDefault("name", store: store) var name = "x"
    #expect(name == "theirs")
    name = "mine"
    #expect(store.contents == ["name": "mine"])
    #expect(stored == [:])
  }

  @Test func theStoreOfTheTaskGoesFirst() async {
    let inner = InMemoryStore(["name": "inner"])
    withDefaultsStore(inner) { #expect(Settings().name == "inner") }
    await withDefaultsStore(inner) {
      await Task.yield()
      #expect(Settings().name == "inner")
      await Task { #expect(Settings().name == "inner") }.value
    }
    #expect(Settings().name == "x")
  }
}

@Suite(.isolatedDefaults)
struct IsolationTests {
  @Test(arguments: 0..<20) func leaksNothing(_ number: Int) async throws {
    @UserDefault(.launchCount) var count
    @Shared(.appStorage("launchCount")) var app = 0
    @Shared(.inMemory("number")) var memory = 0
    @Shared(.cloud("number")) var cloud = 0
    @Shared(.fileStorage(URL(filePath: "/nonexistent/number.plist"))) var file = 0
    for _ in 0..<50 {
      count += 1
      memory += 1
      cloud += 1
      file += 1
      await Task.yield()
    }
    #expect((count, app, memory, cloud, file) == (50, 50, 50, 50, 50))
    #expect($file.error == nil)
  }
}
