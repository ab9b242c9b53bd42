import Foundation
import ObservableDefaults
import ObservableDefaultsFoundation
import Plist
import Testing

/// On Linux, user defaults neither write files nor post notifications by themselves.
@Suite(.serialized)
final class UserDefaultsStoreTests {
  private let suite = "swift-plist-tests-\(UUID())"
  private let store: UserDefaultsStore

  init() throws { store = try UserDefaultsStore(suiteName: suite) }

  deinit {
    UserDefaults.standard.removePersistentDomain(forName: suite)
    store.flush()
    if let file = Self.file(suite) {
      try? FileManager.default.removeItem(at: file)
      let lock = file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent).lock")
      try? FileManager.default.removeItem(at: lock)
    }
  }

  /// Returns the file in which Foundation on Linux keeps a suite; nil elsewhere.
  private static func file(_ suite: String) -> URL? {
    #if os(Linux)
    let environment = ProcessInfo.processInfo.environment
    let folder =
      environment["XDG_CONFIG_HOME"].map { URL(filePath: $0) }
      ?? URL(filePath: environment["HOME"] ?? NSHomeDirectory()).appending(path: ".config")
    return folder.appending(path: "\(suite).plist")
    #else
    return nil
    #endif
  }

  @Test func subscribersMayWait() throws { try expectThatSubscribersMayWait(store) }

  @Test func usageExample() throws {
    let store = try UserDefaultsStore(suiteName: suite)
    let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
    fontSize.value = 14
    let size = UserDefaults(suiteName: suite)?.integer(forKey: "fontSize")  // 14

    #expect(size == 14)
  }

  @Test func keepsAllKindsOfValues() throws {
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let values: PropertyListDictionary = [
      "string": "é", "integer": -3, "real": 0.5, "true": true, "one": 1, "date": .date(date),
      "data": .data(Data([1, 2])), "array": [1, true, "a", ["b": 0.25]], "dictionary": ["a": ["b": false]],
    ]
    for (key, value) in values {
      try store.save(value, for: key)
      #expect(try store.load(key) == value, "\(key)")
    }
    try store.save(nil, for: "string")
    #expect(try store.load("string") == nil)
    let error = #expect(throws: DefaultsError.self) { try store.save([.null], for: "null") }
    #expect(error?.code == .unstorableValue)
  }

  @Test func readsWhatFoundationWrote() throws {
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set(URL(filePath: "/tmp/a b"), forKey: "url")
    defaults.set(3.0, forKey: "real")
    defaults.set(["a": [1, 2]], forKey: "dictionary")
    #expect(store.reference(for: DefaultKey<URL?>("url")).value?.path == "/tmp/a b")
    #expect(store.reference(for: DefaultKey("real", default: 0)).value == 3)
    #expect(try store.load("dictionary") == ["a": [1, 2]])
  }

  @Test func changesMadeThroughUserDefaultsAreTold() async throws {
    let defaults = try #require(UserDefaults(suiteName: suite))
    let store = try UserDefaultsStore(suiteName: suite)
    @UserDefault("count", store: store) var count = 0
    @Shared(.appStorage("with.dot", store: store)) var dotted = "none"
    let changes = Recorder<String>()
    let tokens = [
      $count.observe { changes.record("\($0) \($1)") }, $dotted.observe { changes.record("\($0) \($1)") },
    ]
    defaults.set(5, forKey: "count")
    defaults.set("x", forKey: "unused")
    // On Linux, a change is noticed once it is in the file.
    defaults.synchronize()
    #expect(await eventually { count == 5 })
    defaults.set("text", forKey: "with.dot")
    defaults.synchronize()
    #expect(await eventually { dotted == "text" })
    count = 6
    defaults.removeObject(forKey: "count")
    defaults.synchronize()
    #expect(await eventually { count == 0 })
    // The value is visible before observers are called.
    #expect(await eventually { changes.events == ["0 5", "none text", "5 6", "6 0"] })
    withExtendedLifetime(tokens) {}
  }

  @Test func removalShowsTheRegisteredValue() throws {
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.register(defaults: ["retries": 3])
    let store = UserDefaultsStore(defaults)
    let retries = store.reference(for: DefaultKey("retries", default: 1))
    #expect(retries.value == 3)
    retries.value = 5
    #expect(defaults.integer(forKey: "retries") == 5)
    retries.reset()
    #expect(retries.value == 3)
    @UserDefault("retries", store: store) var optional: Int? = nil
    optional = 7
    optional = nil
    #expect(optional == 3)
  }

  @Test func datesThatFoundationCannotWriteAreRefused() throws {
    try store.save(1, for: "other")
    for seconds in [Double.nan, .infinity, -.infinity, 1e18] {
      let error = #expect(throws: DefaultsError.self) {
        try store.save([.date(Date(timeIntervalSince1970: seconds))], for: "date")
      }
      #expect(error?.code == .unstorableValue)
    }
    store.flush()
    #expect(try UserDefaultsStore(suiteName: suite).load("other") == 1)
  }

  @Test func aValueEqualToARegisteredValueIsStored() throws {
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.register(defaults: ["saved": 5, "updated": 5])
    // On Linux, only the `UserDefaults` object that registered a value returns it.
    let store = UserDefaultsStore(defaults)
    try store.save(5, for: "saved")
    try store.update { $0["updated"] = 5 }
    defaults.register(defaults: ["saved": 6, "updated": 6])
    #expect(try store.load("saved") == 5)
    #expect(try store.load("updated") == 5)
  }

  @Test func ownChangesAreTold() throws {
    let changes = Recorder<DefaultsChange>()
    let token = store.subscribe { changes.record($0) }
    try store.save(1, for: "with.dot@sign")
    try store.save(1, for: "with.dot@sign")
    try store.update { batch in
      batch["a"] = 1
      batch["b"] = 2
    }
    #expect(
      changes.events == [.init(origin: .local, keys: ["with.dot@sign"]), .init(origin: .local, keys: ["a", "b"])])
    withExtendedLifetime(token) {}
  }

  @Test func namesThatLeadElsewhereAreRefused() {
    for name in ["/tmp/x", "../x", "a/b", "a/\u{301}b", ""] {
      let error = #expect(throws: DefaultsError.self) { try UserDefaultsStore(suiteName: name) }
      #expect(error?.code == .invalidName)
    }
  }

  #if os(Linux)
  @Test func theVariableHomeHasPrecedence() async throws {
    let folder = try TestFolder()
    let probe = try Probe(
      "set-default", suite, "greeting", "hello", environment: ["HOME": folder.url.path, "XDG_CONFIG_HOME": ""])
    #expect(await probe.status() == 0)
    #expect(FileManager.default.fileExists(atPath: folder.url.path + "/.config/.\(suite).plist.lock"))
    #expect(try folder.contents(".config/\(suite).plist") == ["greeting": "hello"])
  }

  @Test func anotherProcessPersistsWithoutSynchronizing() async throws {
    let file = try #require(Self.file(suite))
    let probe = try Probe("set-default", suite, "greeting", "hello")
    #expect(await probe.status() == 0)
    #expect(try PropertyList(contentsOf: file).dictionary == ["greeting": "hello"])
  }

  @Test func twoProcessesLoseNothing() async throws {
    let probes = try ["a", "b"].map { try Probe("set-defaults", suite, $0, "200") }
    for probe in probes { #expect(await probe.status() == 0) }
    let contents = try PropertyList(contentsOf: #require(Self.file(suite))).dictionary
    #expect(contents?.count == 400)
  }

  @Test func isWrittenSoon() async throws {
    let file = try #require(Self.file(suite))
    try store.save("soon", for: "greeting")
    #expect(await eventually { (try? PropertyList(contentsOf: file))?["greeting"] == "soon" })
  }

  @Test func aHandlerThatBlocksDoesNotDelayTheWrite() async throws {
    let file = try #require(Self.file(suite))
    let defaults = try #require(UserDefaults(suiteName: suite))
    let store = try UserDefaultsStore(suiteName: suite)
    let gate = DispatchSemaphore(value: 0)
    let blocked = Recorder<Void>()
    #expect(try store.load("greeting") == nil)
    let token = store.subscribe { change in
      guard change.origin == .external, blocked.events.isEmpty else { return }
      blocked.record(())
      gate.wait()
    }
    defer { gate.signal() }
    defaults.set("hello", forKey: "greeting")
    defaults.synchronize()
    try #require(await eventually { !blocked.events.isEmpty })
    try store.save("soon", for: "farewell")
    #expect(await eventually { (try? PropertyList(contentsOf: file))?["farewell"] == "soon" })
    withExtendedLifetime(token) {}
  }

  @Test func changesOfOtherProcessesAreTold() async throws {
    try store.save("mine", for: "own")
    let greeting = store.reference(for: DefaultKey("greeting", default: "none"))
    let changes = Recorder<DefaultsChange>()
    let token = store.subscribe { changes.record($0) }
    for text in ["hello", "good day"] {
      changes.clear()
      let probe = try Probe("set-default", suite, "greeting", text)
      #expect(await eventually { greeting.value == text })
      #expect(await probe.status() == 0)
      // Subscribers are called one after another, so `greeting` can be new before `changes` has recorded it.
      #expect(await eventually { !changes.events.isEmpty })
      #expect(changes.events == [DefaultsChange(origin: .external, keys: ["greeting"])])
    }
    #expect(try store.load("own") == "mine")
    withExtendedLifetime(token) {}
  }
  #endif

  @Test func refusesValuesThatNestTooDeeply() throws {
    var tree: PropertyList = 1
    for _ in 0..<511 { tree = [tree] }
    try store.save(tree, for: "tree")
    let error = #expect(throws: DefaultsError.self) { try store.save([tree], for: "tree") }
    #expect(error?.code == .unstorableValue)
    #expect(throws: DefaultsError.self) { try store.update { $0["tree"] = [tree] } }
    #expect(try store.load("tree") == tree)
  }
}
