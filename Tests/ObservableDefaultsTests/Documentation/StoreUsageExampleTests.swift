import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import ObservableDefaultsTesting
import Plist
import Testing

private struct Settings {
  @UserDefault(.launchCount) var launchCount
}

private enum TraitExample {
  @Suite(.isolatedDefaults)
  struct SettingsTests {
    @Test func counts() {
      let settings = Settings()
      settings.launchCount += 1  // visible in this test only; nothing reaches the disk
      #expect(settings.launchCount == 1)
    }
  }
}

private struct Workspace: DefaultsStoreSource {
  let folder: URL
  var defaultsStore: any DefaultsStore { PropertyListFileStore(url: folder.appending(path: "settings.plist")) }
}

private func renameTheme(in store: some DefaultsStore) throws {
  try store.update { batch in
    batch["theme"] = batch["colours"]
    batch["colours"] = nil
  }
}

extension SearchListStore.DomainName {
  static let workspace = SearchListStore.DomainName(rawValue: "workspace")
}

private final class SnapshotBackend: CloudKeyValueBackend {
  let contents: PropertyListDictionary
  init(_ contents: PropertyListDictionary) { self.contents = contents }
  func value(for key: String) -> PropertyList? { contents[key] }
  func set(_ value: PropertyList?, for key: String) {}  // the snapshot stays as it is
  func synchronize() -> Bool { false }
  func subscribe(_ handler: @escaping @Sendable (CloudChangeReason, Set<String>?) -> Void) -> DefaultsSubscription {
    DefaultsSubscription {}
  }
}

@Suite(.isolatedDefaults)
struct StoreUsageExampleTests {
  private let folder: TestFolder
  private let url: URL
  private let lines = Recorder<String>()

  init() throws {
    folder = try TestFolder()
    url = folder.file()
  }

  private func print(_ items: Any...) { lines.record(items.map { "\($0)" }.joined(separator: " ")) }

  @Test func standardStores() throws {
    try DefaultsStores.current.save("dark", for: "theme")
    let theme = try DefaultsStores.current.load("theme")  // a property list, or nil if nothing is stored
    try DefaultsStores.current.remove("theme")

    #expect(theme == "dark")
    #expect(try DefaultsStores.current.load("theme") == nil)
  }

  @Test func anotherStoreForAPieceOfCode() {
    let count = withDefaultsStore(InMemoryStore(["launchCount": 41])) {
      let settings = Settings()
      settings.launchCount += 1  // nothing reaches the disk
      return settings.launchCount  // 42
    }

    #expect(count == 42)
    #expect(Settings().launchCount == 0)
  }

  @Test func inMemory() {
    let store = InMemoryStore(["fontSize": 14])
    let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
    store.simulateExternalChange(16, for: "fontSize")  // fontSize.value is 16

    #expect(fontSize.value == 16)
  }

  @Test func inAFile() throws {
    let store = PropertyListFileStore(url: url)
    let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
    fontSize.value = 14  // in the file when the assignment returns

    #expect(try folder.contents() == ["fontSize": 14])
  }

  @Test func inAFileLater() throws {
    let store = PropertyListFileStore(url: url, saving: .debounced(.seconds(60)))
    for page in 1...100 { try store.save(PropertyList(page), for: "page") }  // in memory
    try store.flush()  // in the file

    #expect(try folder.contents() == ["page": 100])
    try store.save(101, for: "page")
    #expect(try folder.contents() == ["page": 100])
  }

  @Test func domains() throws {
    let store = SearchListStore(
      arguments: ["tool", "-retries", "5"], application: PropertyListFileStore(url: url), registration: ["delay": 0.5])
    let retries = store.reference(for: DefaultKey("retries", default: 3))  // its value is 5
    let domain = try store.provenance(of: "delay")  // registration

    #expect(retries.value == 5)
    #expect(domain == .registration)
  }

  @Test func domainsOfYourOwn() throws {
    let (workspace, application) = (InMemoryStore(), InMemoryStore(["theme": "dark"]))
    let store = SearchListStore(
      [SearchListStore.Domain(.workspace, workspace), SearchListStore.Domain(.application, application)],
      writingTo: .workspace)
    try store.save("light", for: "theme")  // stored in the workspace; the application's theme stays

    #expect(workspace.contents == ["theme": "light"])
    #expect(application.contents == ["theme": "dark"])
    #expect(try store.provenance(of: "theme") == .workspace)
  }

  @Test func sources() throws {
    let folder = folder.url
    @UserDefault("tabWidth", store: Workspace(folder: folder)) var tabWidth = 2
    tabWidth = 4
    #expect(try self.folder.contents() == ["tabWidth": 4])
  }

  @Test func anyStore() throws {
    let store = InMemoryStore(["colours": "dark"])
    try renameTheme(in: store)
    #expect(store.contents == ["theme": "dark"])
  }

  @Test func batches() throws {
    let store = InMemoryStore(["runs": 4])
    try store.update { batch in
      batch["runs"] = PropertyList((batch["runs"]?.int ?? 0) + 1)
      batch["lastRun"] = PropertyList(Date.now)
    }
    #expect(try store.load("runs") == 5)
    #expect(try store.load("lastRun")?.date != nil)
  }

  @Test func identities() {
    let (one, other) = (PropertyListFileStore(url: url), PropertyListFileStore(url: url))
    let areSame = one.identity == other.identity  // true: references of both share their values

    #expect(areSame)
    let key = DefaultKey("fontSize", default: 12)
    #expect(one.reference(for: key) === other.reference(for: key))
  }

  @Test func cloud() {
    let backend = MockCloudBackend()
    let cloud = CloudStore(backend, synchronizesImmediately: true)
    let volume = cloud.reference(for: DefaultKey("volume", default: 0.5))
    volume.value = 0.75  // the default was not uploaded

    #expect(backend.contents == ["volume": 0.75])
    #expect(backend.synchronizations == 2)
  }

  @Test func simulatedMachines() {
    let backend = MockCloudBackend(["volume": 1.0])
    let volume = CloudStore(backend).reference(for: DefaultKey("volume", default: 0.5))
    backend.simulateChange(["volume": 0.25])  // volume.value is 0.25

    #expect(volume.value == Double(0.25))
  }

  @Test func aBackendOfYourOwn() throws {
    let store = CloudStore(SnapshotBackend(["volume": 0.25]))
    let volume = store.reference(for: DefaultKey("volume", default: 0.5))
    #expect(volume.value == Double(0.25))
    volume.value = 1
    #expect(try store.load("volume") == 0.25)
  }

  @Test func limits() throws {
    let cloud = CloudStore(MockCloudBackend(), limits: CloudStore.Limits(keyLength: 8))
    do { try cloud.save(true, for: "isSubscribed") } catch let error as DefaultsError {
      print(error.code)  // keyTooLong
    }

    #expect(lines.events == ["keyTooLong"])
  }

  @Test func reasonsOfTheCloud() {
    let backend = MockCloudBackend()
    let cloud = CloudStore(backend)
    let print = print
    let token = cloud.subscribe { change in
      if change.origin == .remote(.quotaViolation) { print("iCloud is full") }
    }

    backend.simulateChange(["a": 1])
    backend.simulateChange([:], reason: .quotaViolation)
    #expect(lines.events == ["iCloud is full"])
    token.cancel()
  }

  @Test func changes() throws {
    let store = InMemoryStore()
    let print = print
    let token = store.subscribe { change in
      if change.keys?.contains("theme") != false { print("the theme was set, or any key may have been") }
    }

    try store.save(1, for: "size")
    try store.save("dark", for: "theme")
    #expect(lines.events.count == 1)
    token.cancel()
  }

  @Test func origins() throws {
    let store = InMemoryStore()
    let print = print
    let token = store.subscribe { change in
      switch change.origin {
      case .local: print("set by this process")
      case .external: print("set by another process")
      case .remote(let reason): print("set by another machine: \(reason)")
      }
    }

    try store.save(1, for: "size")
    store.simulateExternalChange(2, for: "size")
    store.simulateExternalChange(3, for: "size", origin: .remote(.serverChange))
    #expect(
      lines.events == ["set by this process", "set by another process", "set by another machine: serverChange"])
    token.cancel()
  }

  @Test func subscriptions() {
    let appearance = Appearance()
    let print = print
    let token = appearance.$theme.observe { old, new in print("\(old) → \(new)") }
    appearance.theme = .dark  // light → dark
    token.cancel()
    appearance.theme = .light  // not printed

    #expect(lines.events == ["light → dark"])
  }

  @Test func errors() throws {
    let store = InMemoryStore(["fontSize": "large"])
    let fontSize = store.reference(for: DefaultKey("fontSize", default: 12))
    if let error = fontSize.error as? DefaultsError {
      print(error.code, error.message)  // undecodableValue, and a sentence with the key and the stored value
    }

    let line = try #require(lines.events.first)
    #expect(line.hasPrefix("undecodableValue ") && line.contains("fontSize") && line.contains("large"), "\(line)")
    #expect(fontSize.value == 12)
  }

  @Test func errorCodes() throws {
    try Data("no property list <".utf8).write(to: url)
    let store = PropertyListFileStore(url: url)
    do { try store.save(14, for: "fontSize") } catch let error as DefaultsError where error.code == .corruptFile {
      try store.discardUnreadableFile()  // a copy of the file is kept
    }

    #expect(try folder.names() == ["settings.plist.corrupt"])
    try store.save(14, for: "fontSize")
    #expect(try folder.contents() == ["fontSize": 14])
  }
}
