import Foundation
import Observation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsTesting
import Plist
import Testing

@Suite(.isolatedDefaults)
struct SharedTests {
  private enum Mode: String { case day, night }
  private struct Profile: Codable, Sendable {
    var name: String
  }

  private struct Settings {
    @Shared(.appStorage("isOn")) var isOn = false
    @Shared(.appStorage("mode")) var mode = Mode.day
    @Shared(.appStorage("note")) var note: String?
    @Shared(.inMemory("profile")) var profile = Profile(name: "")
    @Shared(.cloud("volume")) var volume = 0.5
    @Shared(.fileStorage(URL(filePath: "/nowhere/profile.plist"))) var kept = Profile(name: "kept")
  }

  @Test func twoUsesOfAKeyAgree() {
    let one = Settings()
    let other = Settings()
    #expect(!one.isOn)
    #expect(one.note == nil)
    one.isOn = true
    one.mode = .night
    one.note = "a"
    one.profile.name = "Ada"
    one.volume = 1
    one.kept.name = "Bob"
    #expect(other.isOn)
    #expect(other.mode == .night)
    #expect(other.note == "a")
    #expect(other.profile.name == "Ada")
    #expect(other.volume == 1)
    #expect(other.kept.name == "Bob")
    #expect(one.$isOn.reference === other.$isOn.reference)
    @UserDefault("isOn") var isOn = false
    #expect(isOn)
    isOn = false
    #expect(!one.isOn)
  }

  @Test func whatIsInMemoryStaysWithoutReferences() {
    Settings().profile.name = "Ada"
    #expect(Settings().profile.name == "Ada")
    @Shared(.inMemory("profile")) var text = "none"
    #expect(text == "none")
  }

  private struct Parent {
    @Shared(.appStorage("isOn")) var isOn = false
    @Shared(value: 1) var count: Int
    var child: Child { Child(isOn: $isOn, count: $count) }
  }

  private struct Child {
    @Shared var isOn: Bool
    @Shared var count: Int
  }

  @Test func aChildSharesWhatItsParentGivesIt() {
    let parent = Parent()
    let child = parent.child
    let changes = Recorder<[Int]>()
    let token = parent.$count.observe { changes.record([$0, $1]) }
    child.isOn = true
    child.count += 1
    child.$count.withLock { $0 *= 10 }
    #expect(parent.isOn)
    #expect(parent.count == 20)
    #expect(Parent().count == 1)
    #expect(changes.events == [[1, 2], [2, 20]])
    withExtendedLifetime(token) {}
    func double(@Shared value: Int) { value *= 2 }
    double($value: parent.$count)
    #expect(parent.count == 40)
  }

  @Observable
  final class Model {
    var other = 0
    @ObservationIgnored @Shared(.appStorage("isOn")) var isOn = false
  }

  @Test func observedInAnObservableClass() {
    let model = Model()
    let changes = Recorder<Bool>()
    withObservationTracking {
      _ = model.isOn
    } onChange: {
      changes.record(true)
    }
    model.other = 1
    #expect(changes.events == [])
    Settings().isOn = true
    #expect(changes.events == [true])
    #expect(model.isOn)
  }

  @Test func externalChangesArePlayedBack() async throws {
    let store = InMemoryStore()
    let settings = Shared(wrappedValue: 0, .appStorage("number", store: store))
    var updates = settings.updates.makeAsyncIterator()
    store.simulateExternalChange(5, for: "number")
    #expect(await updates.next() == 5)
    #expect(settings.wrappedValue == 5)
    let key: StoreKey<Int> = .appStorage("number", store: store)
    var direct = key.updates.makeAsyncIterator()
    #expect(try key.load() == 5)
    try key.save(6)
    #expect(await direct.next() == 6)
    #expect(settings.wrappedValue == 6)
  }

  @Test func anOptionalHasADefault() {
    @Shared(.inMemory("optional")) var memory: Int? = 5
    @Shared(.appStorage("optional")) var app: Int? = 5
    @Shared(.fileStorage(URL(filePath: "/nowhere/optional.plist"))) var file: Int? = 5
    #expect((memory, app, file) == (5, 5, 5))
    memory = nil
    #expect(memory == nil)
    $memory.reset()
    #expect(memory == 5)
  }

  private struct User: Codable, Sendable, Equatable {
    var name = "nobody"
    var address = Address()
    struct Address: Codable, Sendable, Equatable { var city = "" }
  }

  @Test func aPartOfAValue() throws {
    @Shared(.appStorage("user")) var user = User()
    let name = $user.name
    let city = $user.address.city
    let changes = Recorder<String>()
    let token = name.observe { changes.record("\($0) \($1)") }
    name.wrappedValue = "Ada"
    user.name = "Bob"
    city.wrappedValue = "Paris"
    #expect(user == User(name: "Bob", address: User.Address(city: "Paris")))
    #expect(name.wrappedValue == "Bob")
    #expect(changes.events == ["nobody Ada", "Ada Bob"])
    let signals = Recorder<String>()
    withObservationTracking {
      _ = city.wrappedValue
    } onChange: {
      signals.record("city")
    }
    try DefaultsStores.current.save(["name": "Eve", "address": ["city": "Rome"]], for: "user")
    #expect(city.wrappedValue == "Rome")
    #expect(signals.events == ["city"])
    $user.reset()
    #expect((name.wrappedValue, city.wrappedValue) == ("nobody", ""))
    withExtendedLifetime(token) {}
  }

  @Test func aPartIsStoredAgainIfAnObserverSetsIt() throws {
    let store = InMemoryStore()
    @Shared(.appStorage("user", store: store)) var user = User()
    let name = $user.name
    let changes = Recorder<String>()
    let tokens = [
      $user.observe { _, new in if new.name.count > 3 { name.withLock { $0 = String($0.prefix(3)) } } },
      name.observe { changes.record("\($0) \($1)") },
    ]
    name.wrappedValue = "Adaline"
    #expect((name.wrappedValue, user.name) == ("Ada", "Ada"))
    #expect(store.contents["user"]?["name"] == "Ada")
    #expect(changes.events == ["nobody Adaline", "Adaline Ada"])
    user.name = "Bob"
    #expect(name.wrappedValue == "Bob")
    withExtendedLifetime(tokens) {}
  }

  @Test func aPartShowsAValueThatCannotBeStored() {
    struct Failure: Error {}
    let store = InMemoryStore()
    @Shared(.appStorage("user", store: store)) var user = User()
    let held = $user.name
    store.simulateFailure(Failure())
    user.name = "Ada"
    #expect((held.wrappedValue, $user.name.wrappedValue) == ("Ada", "Ada"))
    #expect(held.error is Failure)
    #expect($user.name.error is Failure)
    #expect(!held.reference.isDefault)
    store.simulateFailure(nil)
    let same = user
    user = same
    #expect($user.error == nil)
    #expect(held.error == nil)
    $user.name.withLock { $0 += "!" }
    #expect((held.wrappedValue, user.name) == ("Ada!", "Ada!"))
    #expect(store.contents["user"]?["name"] == "Ada!")
  }

  @Test func aPartShowsWhyTheWholeCannotBeRead() {
    let store = InMemoryStore(["user": 5])
    @Shared(.appStorage("user", store: store)) var user = User()
    let name = $user.name
    #expect(name.wrappedValue == "nobody")
    #expect(name.reference.isDefault)
    #expect(name.error != nil)
    store.simulateExternalChange(["name": "nobody", "address": ["city": ""]], for: "user")
    #expect(name.error == nil)
    #expect(!name.reference.isDefault)
  }

  private struct Screen: Equatable {
    @Shared(.appStorage("isOn")) var isOn = false
    @UserDefault("volume") var volume = 1
    var title = ""
  }

  @Test func statesThatHoldPropertiesAreEquatable() {
    let one = Screen()
    #expect(one == Screen())
    #expect(one != Screen(title: "other"))
    let other = withDefaultsStore(InMemoryStore(["volume": 2])) { Screen() }
    #expect(one != other)
    one.volume = 2
    #expect(one == other)
  }

  @Test func aCloudOfOnesOwn() {
    let backend = MockCloudBackend(["volume": 0.25])
    let cloud = CloudStore(backend, developmentMode: false)
    @Shared(.cloud("volume", store: cloud)) var volume = 0.5
    #expect(volume == 0.25)
    backend.simulateChange(["volume": 0.75])
    #expect(volume == 0.75)
    volume = 1
    #expect(backend.contents == ["volume": 1.0])
  }
}

struct FileStorageTests {
  @Test func isWrittenLaterAndWhole() async throws {
    let folder = try TestFolder()
    @Shared(.fileStorage(folder.file(), format: .xml, saving: .debounced(.milliseconds(20)))) var list = ["a"]
    #expect(list == ["a"])
    #expect(try folder.names() == [])
    for number in 1...50 { list.append("\(number)") }
    #expect(try await eventually { try folder.names() == ["settings.plist"] })
    #expect(await eventually { (try? PropertyList(contentsOf: folder.file()))?.array?.count == 51 })
    @Shared(.fileStorage(folder.file(), format: .xml, saving: .debounced(.milliseconds(20)))) var same = ["b"]
    #expect(same.count == 51)

    try PropertyList(["from", "outside"]).write(to: folder.file(), format: .binary)
    #expect(await eventually { list == ["from", "outside"] })
    #expect(same == list)
    try FileManager.default.removeItem(at: folder.file())
    #expect(await eventually { list == ["a"] && same == ["a"] })
    $list.reset()
    #expect($list.error == nil)
  }

  @Test func aFileOfAnotherTypeIsKept() throws {
    let folder = try TestFolder()
    try PropertyList("text").write(to: folder.file(), format: .xml)
    @Shared(.fileStorage(folder.file(), saving: .immediately)) var count = 1
    #expect(count == 1)
    #expect($count.error != nil)
    #expect(try PropertyList(contentsOf: folder.file()) == "text")
    count = 2
    #expect(try PropertyList(contentsOf: folder.file()) == 2)
    $count.reset()
    #expect(try folder.names() == ["settings.plist.undecodable"])
    #expect(try PropertyList(contentsOf: folder.file("settings.plist.undecodable")) == "text")
    #expect(count == 1)
  }
}

struct CustomKeyTests {
  private final class Shelf: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [String: Int] = [:]
    private var listeners: [AsyncStream<Int>.Continuation] = []
    private(set) var saves: [Int] = []

    func value(_ name: String) -> Int? { lock.withLock { values[name] } }

    func save(_ value: Int, _ name: String) {
      lock.withLock {
        values[name] = value
        saves.append(value)
      }
    }

    func put(_ value: Int, _ name: String) {
      lock.withLock { values[name] = value }
      for listener in lock.withLock({ listeners }) { listener.yield(value) }
    }

    func updates() -> AsyncStream<Int> {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      lock.withLock { listeners.append(continuation) }
      continuation.onTermination = { [weak self] _ in self?.end() }
      return stream
    }

    private(set) var ended = 0
    private func end() { lock.withLock { ended += 1 } }
  }

  private struct ShelfKey: PersistenceKey {
    let shelf: Shelf
    let name: String
    func load() -> Int? { shelf.value(name) }
    func save(_ value: Int) { shelf.save(value, name) }
    var updates: AsyncStream<Int> { shelf.updates() }
    static func == (one: Self, other: Self) -> Bool { one.shelf === other.shelf && one.name == other.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  @Test func loadsSavesAndFollows() async {
    let shelf = Shelf()
    shelf.save(3, "a")
    do {
      @Shared(ShelfKey(shelf: shelf, name: "a")) var one = 0
      @Shared(ShelfKey(shelf: shelf, name: "a")) var other = 0
      @Shared(ShelfKey(shelf: shelf, name: "b")) var absent = 7
      #expect((one, other, absent) == (3, 3, 7))
      one = 4
      #expect(other == 4)
      #expect(shelf.saves == [3, 4])
      let changes = Recorder<[Int]>()
      let token = $other.observe { changes.record([$0, $1]) }
      shelf.put(10, "a")
      #expect(await eventually { one == 10 && other == 10 })
      // The value is visible before observers are called.
      #expect(await eventually { changes.events == [[4, 10]] })
      #expect(shelf.saves == [3, 4])
      withExtendedLifetime(token) {}
    }
    #expect(await eventually { shelf.ended == 2 })
  }

  @Test func failuresAreShown() {
    struct Failure: Error {}
    struct BrokenKey: PersistenceKey {
      func load() throws -> Int? { throw Failure() }
      func save(_ value: Int) throws { throw Failure() }
      var updates: AsyncStream<Int> { AsyncStream { $0.finish() } }
    }
    @Shared(BrokenKey()) var value = 1
    #expect(value == 1)
    #expect($value.error is Failure)
    value = 2
    #expect(value == 2)
    #expect($value.error is Failure)
  }

  private struct ClampingKey: PersistenceKey {
    let shelf: Shelf
    let didSave: @Sendable (Int) -> Void
    func load() -> Int? { shelf.value("clamped") }
    func save(_ value: Int) {
      shelf.save(value, "clamped")
      didSave(value)
    }
    var updates: AsyncStream<Int> { shelf.updates() }
    static func == (one: Self, other: Self) -> Bool { one.shelf === other.shelf }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(shelf)) }
  }

  @Test func aKeyMaySetItsValueWhileSavingIt() {
    let shelf = Shelf()
    let reference = Recorder<Shared<Int>>()
    let key = ClampingKey(shelf: shelf) { value in
      if value > 120 { reference.events.last?.wrappedValue = 120 }
    }
    let age = Shared(wrappedValue: 0, key)
    reference.record(age)
    age.wrappedValue = 500
    #expect(age.wrappedValue == 120)
    #expect(shelf.saves == [500, 120])
    reference.clear()
  }

  @Test func anUpdateDuringASaveIsNotLost() async {
    let shelf = Shelf()
    let other = Recorder<Bool>()
    let key = ClampingKey(shelf: shelf) { value in
      // Another process replaces the value before `save` returns, so the new one arrives during the save.
      guard value == 1 else { return }
      shelf.put(2, "clamped")
      Thread.sleep(forTimeInterval: 0.2)
      other.record(true)
    }
    let value = Shared(wrappedValue: 0, key)
    value.wrappedValue = 1
    #expect(other.events == [true])
    #expect(await eventually { value.wrappedValue == 2 })
  }

  @Test(arguments: 0..<10) func scopesKeepKeysApart(_ number: Int) async {
    await withDefaultsStore(InMemoryStore()) {
      @Shared(.inMemory("scoped")) var value = -1
      #expect(value == -1)
      value = number
      await Task.yield()
      #expect(value == number)
    }
  }
}
