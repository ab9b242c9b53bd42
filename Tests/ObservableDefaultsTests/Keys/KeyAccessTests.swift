import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsTesting
import Plist
import Testing

extension DefaultKeys {
  fileprivate static let launches = DefaultKey("launches", default: 0)
  fileprivate static let lastLaunch = DefaultKey("lastLaunch", default: Date.distantPast)
}

/// Short ways from a key to its value.
@Suite(.isolatedDefaults)
struct KeyAccessTests {
  private let store = InMemoryStore(["other": 1])

  @Test func aStoreHasASubscript() {
    store[.launches] += 1
    #expect(store[.launches] == 1)
    #expect(store.contents == ["launches": 1, "other": 1])
    let any: any DefaultsStore = store
    any[.launches] = 5
    #expect(store.reference(for: .launches).value == 5)
  }

  @Test func severalKeysAreSetAtOnce() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let changes = Recorder<DefaultsChange>()
    let token = store.subscribe { changes.record($0) }
    try store.update { batch in
      try batch.set(batch.value(for: .launches) + 1, for: .launches)
      try batch.set(date, for: .lastLaunch)
    }
    #expect(store.contents == ["launches": 1, "lastLaunch": .date(date), "other": 1])
    #expect(changes.events == [DefaultsChange(origin: .local, keys: ["launches", "lastLaunch"])])
    store.simulateExternalChange("many", for: "launches")
    #expect(throws: DefaultsError.self) { try store.update { _ = try $0.value(for: .launches) } }
    withExtendedLifetime(token) {}
  }

  @Test func keysAreResetTogether() throws {
    let launches = store.reference(for: .launches)
    launches.value = 3
    store[.lastLaunch] = .now
    try store.reset(.launches, .lastLaunch)
    #expect(store.contents == ["other": 1])
    #expect(launches.value == 0)
    launches.value = 3
    try store.removeAll()
    #expect(store.contents == [:])
    #expect(launches.value == 0)
  }

  @Test func aKeyBringsItsDefaultIntoShared() {
    @Shared(.launches) var launches
    @SharedReader(.launches) var shown
    @UserDefault(.launches) var same
    launches += 2
    #expect((shown, same) == (2, 2))
    #expect($launches.store?.identity == DefaultsStores.current.identity)
    @Shared(.launches, store: store) var elsewhere
    #expect(elsewhere == 0)
  }

  private struct Meter {
    @SharedReader(.appStorage("volume")) var volume = 0.5
  }

  private struct Label {
    @SharedReader var volume: Double
  }

  @Test func readersFollowAndDoNotChange() async {
    @Shared(.appStorage("volume")) var volume = 0.5
    let (meter, label) = (Meter(), Label(volume: $volume.reader))
    let seen = Recorder<Double>()
    let token = meter.$volume.observe { seen.record($1) }
    volume = 0.75
    #expect((meter.volume, label.volume) == (0.75, 0.75))
    #expect(meter.$volume == label.$volume)
    #expect(seen.events == [0.75])
    #expect(label.$volume.error == nil)
    for await value in label.$volume.values {
      #expect(value == 0.75)
      break
    }
    withExtendedLifetime(token) {}
  }

  private enum Theme: String { case light, dark }

  @Test func optionalCollectionsOfRawValues() {
    @UserDefault("themes") var themes: [Theme]?
    @UserDefault("map") var map: [String: Theme]? = ["a": .light]
    @UserDefault(DefaultKey("keyed", default: nil)) var keyed: [Theme]?
    @Shared(.appStorage("shared")) var shared: [Theme]?
    @Shared(.cloud("cloud")) var cloud: [Theme]?
    @Shared(.fileStorage(URL(filePath: "/nowhere/optional.plist"))) var file: [Theme]?
    #expect(themes == nil && map == ["a": .light] && shared == nil && cloud == nil && file == nil && keyed == nil)
    themes = [.dark]
    map = ["b": .dark]
    shared = [.dark]
    cloud = [.dark]
    file = [.dark]
    keyed = [.dark]
    #expect(themes == [.dark] && shared == [.dark] && cloud == [.dark] && file == [.dark])
    #expect(
      (DefaultsStores.current as? InMemoryStore)?.contents
        == ["themes": ["dark"], "map": ["b": "dark"], "shared": ["dark"], "keyed": ["dark"]])
    themes = nil
    #expect(themes == nil)
  }

  /// Not `Equatable`, so its stored forms are compared.
  private struct Tags: Codable, Sendable { var names: Set<String> }

  @Test(arguments: ["codable", "jsonData", "propertyListData", "json"]) func setsInAnyOrderAreEqual(_ name: String) {
    let codings: [String: DefaultsCoding<Tags>] = [
      "codable": .codable, "jsonData": .jsonData, "propertyListData": .propertyListData, "json": .json,
    ]
    guard let coding = codings[name] else { return }
    let names = (0..<50).map { "tag \($0)" }
    let tags = store.reference(for: DefaultKey("tags", default: Tags(names: []), coding: coding))
    tags.value = Tags(names: Set(names))
    let changes = Recorder<Void>()
    let token = tags.observe { _, _ in changes.record(()) }
    // Sets of the same elements iterate in another order if their capacities differ.
    for capacity in stride(from: 64, through: 4096, by: 64) {
      var others = Set<String>(minimumCapacity: capacity)
      for name in names.reversed() { others.insert(name) }
      tags.value = Tags(names: others)
    }
    #expect(changes.events.isEmpty)
    tags.value.names.remove("tag 7")
    #expect(changes.events.count == 1)
    withExtendedLifetime(token) {}
  }
}

private struct Examples {
  func subscripts(_ store: InMemoryStore) {
    store[.launchCount] += 1
  }

  func batches(_ store: InMemoryStore) throws {
    try store.update { batch in
      try batch.set(batch.value(for: .launchCount) + 1, for: .launchCount)
      try batch.set(.now, for: .lastLaunch)
    }
  }

  @Shared(.launchCount) var launchCount

  struct Meter {
    @SharedReader(.appStorage("volume")) var volume = 0.5
  }

  struct Label {  // Label(volume: player.$volume.reader)
    @SharedReader var volume: Double
  }
}
