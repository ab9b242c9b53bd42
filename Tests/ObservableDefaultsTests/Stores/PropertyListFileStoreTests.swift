import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import Plist
import Testing

struct PropertyListFileStoreTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: [PlistFormat.binary, .xml])
  func keepsValues(_ format: PlistFormat) throws {
    let store = PropertyListFileStore(url: folder.file(), format: format)
    #expect(try store.load("count") == nil)
    #expect(try folder.names() == [])
    try store.save(1, for: "count")
    try store.save(["a", "b"], for: "names.with@signs")
    #expect(try store.load("count") == 1)
    let bytes = try Data(contentsOf: folder.file())
    #expect(PlistFormat(detecting: bytes) == format)
    #expect(try folder.contents() == ["count": 1, "names.with@signs": ["a", "b"]])

    let other = PropertyListFileStore(url: folder.file(), format: format == .xml ? .binary : .xml)
    #expect(try other.load("count") == 1)
    try other.save(nil, for: "count")
    #expect(try store.load("count") == nil)
    #expect(try folder.contents() == ["names.with@signs": ["a", "b"]])
  }

  @Test func createsTheFolderAndAFileForItsOwnerAlone() throws {
    let store = PropertyListFileStore(url: folder.file("new/folder/settings.plist"))
    try store.save(1, for: "count")
    #expect(try folder.permissions("new/folder/settings.plist") == 0o600)
    #expect(try folder.permissions("new/folder") == 0o700)
  }

  @Test func keepsLinksAndPermissions() throws {
    try PropertyList(["old": 1]).write(to: folder.file("target.plist"), format: .xml)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.file("target.plist").path)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file().path, withDestinationPath: "target.plist")
    // Only the superuser can change a file's owner; anyone else is its owner already.
    if geteuid() == 0 {
      try FileManager.default.setAttributes([.ownerAccountID: 1234], ofItemAtPath: folder.file("target.plist").path)
    }
    let owner = try FileManager.default.attributesOfItem(atPath: folder.file("target.plist").path)[.ownerAccountID]
    let store = PropertyListFileStore(url: folder.file())
    try store.save(2, for: "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file().path) == "target.plist")
    #expect(try folder.permissions("target.plist") == 0o640)
    let newOwner = try FileManager.default.attributesOfItem(atPath: folder.file("target.plist").path)[.ownerAccountID]
    #expect(newOwner as? Int == owner as? Int)
    #expect(newOwner as? Int == (geteuid() == 0 ? 1234 : Int(geteuid())))
    #expect(try folder.contents("target.plist") == ["old": 1, "new": 2])
  }

  @Test func keepsTheOrderAndValuesOfOthers() throws {
    let date = PropertyList.date(Date(timeIntervalSinceReferenceDate: 12.5))
    let list: PropertyList = ["z": 1, "a": date, "m": 0.5]
    try list.write(to: folder.file(), format: .binary)
    try PropertyListFileStore(url: folder.file()).save("x", for: "k")
    let contents = try folder.contents()
    #expect(Array(contents.keys) == ["z", "a", "m", "k"])
    #expect(contents["a"] == date)
  }

  @Test(arguments: ["no property list <", "<plist><array/></plist>"])
  func leavesCorruptFilesAlone(_ text: String) throws {
    try Data(text.utf8).write(to: folder.file())
    let store = PropertyListFileStore(url: folder.file())
    for _ in 0..<2 {
      let error = #expect(throws: DefaultsError.self) { try store.load("count") }
      #expect(error?.code == .corruptFile)
      #expect(throws: DefaultsError.self) { try store.save(1, for: "count") }
      #expect(throws: DefaultsError.self) { try store.update { $0["count"] = 1 } }
    }
    #expect(try folder.names() == ["settings.plist"])
    #expect(try String(contentsOf: folder.file(), encoding: .utf8) == text)

    try store.discardUnreadableFile()
    #expect(try String(contentsOf: folder.file("settings.plist.corrupt"), encoding: .utf8) == text)
    try store.save(1, for: "count")
    #expect(try folder.contents() == ["count": 1])
    #expect(try folder.names() == ["settings.plist", "settings.plist.corrupt"])
  }

  @Test func keepsACopyOfEachDiscardedFile() throws {
    for text in ["first", "second", "first"] {
      try Data(text.utf8).write(to: folder.file())
      try PropertyListFileStore(url: folder.file()).discardUnreadableFile()
    }
    #expect(try folder.names() == ["settings.plist.corrupt", "settings.plist.corrupt-2"])
  }

  @Test func takesAnEmptyFileForNone() throws {
    try Data().write(to: folder.file())
    let store = PropertyListFileStore(url: folder.file())
    #expect(try store.load("count") == nil)
    try store.save(1, for: "count")
    #expect(try folder.contents() == ["count": 1])
  }

  @Test func saysWhenAFileCannotBeRead() throws {
    try FileManager.default.createDirectory(at: folder.file(), withIntermediateDirectories: true)
    let store = PropertyListFileStore(url: folder.file())
    let error = #expect(throws: DefaultsError.self) { try store.load("count") }
    #expect(error?.code == .unreadableFile)
    #expect(throws: DefaultsError.self) { try store.save(1, for: "count") }
  }

  @Test func writesEqualValuesOnce() throws {
    let store = PropertyListFileStore(url: folder.file())
    try store.save(1, for: "count")
    let before = try FileManager.default.attributesOfItem(atPath: folder.file().path)[.systemFileNumber] as? Int
    try store.save(1, for: "count")
    let after = try FileManager.default.attributesOfItem(atPath: folder.file().path)[.systemFileNumber] as? Int
    #expect(before == after)
    try store.save(2, for: "count")
    let changed = try FileManager.default.attributesOfItem(atPath: folder.file().path)[.systemFileNumber] as? Int
    #expect(before != changed)
  }

  @Test func usingAStoreInsideItsUpdateIsAnError() throws {
    let folder = folder
    let stores: [any DefaultsStore] = [
      PropertyListFileStore(url: folder.file()), InMemoryStore(),
      CloudStore(MockCloudBackend(), developmentMode: false),
      SearchListStore(arguments: [], application: InMemoryStore()),
    ]
    for store in stores {
      let errors = Recorder<DefaultsError.Code?>()
      func attempt(_ body: () throws -> Void) {
        do { try body() } catch { errors.record((error as? DefaultsError)?.code) }
      }
      try store.update { batch in
        attempt { try store.save(1, for: "a") }
        attempt { try store.update { $0["a"] = 1 } }
        batch["a"] = 2
      }
      #expect(errors.events == [.storeIsUpdating, .storeIsUpdating])
      #expect(try store.load("a") == 2)
      try store.save(3, for: "a")
    }
    let file = PropertyListFileStore(url: folder.file())
    #expect(throws: DefaultsError.self) { try file.update { _ in _ = try file.load("a") } }
    #expect(throws: DefaultsError.self) { try file.update { _ in _ = try file.contents } }
    #expect(throws: DefaultsError.self) { try file.update { _ in try file.flush() } }
  }

  @Test func changesSeveralAtOnceOrNone() throws {
    struct Failure: Error {}
    let store = PropertyListFileStore(url: folder.file())
    let changes = Recorder<DefaultsChange>()
    let token = store.subscribe { changes.record($0) }
    try store.update { batch in
      batch["a"] = 1
      batch["b"] = 2
      batch["absent"] = nil
    }
    #expect(throws: Failure.self) {
      try store.update { batch in
        batch["a"] = 10
        throw Failure()
      }
    }
    #expect(try folder.contents() == ["a": 1, "b": 2])
    #expect(changes.events == [DefaultsChange(origin: .local, keys: ["a", "b"])])
    withExtendedLifetime(token) {}
  }

  @Test func savesLater() async throws {
    let store = PropertyListFileStore(url: folder.file(), saving: .debounced(.milliseconds(50)))
    try store.save(1, for: "a")
    try store.save(2, for: "b")
    #expect(try store.load("a") == 1)
    #expect(try folder.names() == [])
    #expect(try await eventually { try folder.names() == ["settings.plist"] })
    #expect(try folder.contents() == ["a": 1, "b": 2])
    try store.save(3, for: "a")
    try store.flush()
    #expect(try folder.contents() == ["a": 3, "b": 2])
  }

  @Test func updatesWriteUnsavedValues() throws {
    let store = PropertyListFileStore(url: folder.file(), saving: .debounced(.seconds(60)))
    try store.save(1, for: "a")
    #expect(try folder.names() == [])
    // The same value as before, but that has not reached the file yet.
    try store.update { $0["a"] = 1 }
    #expect(try folder.contents() == ["a": 1])
    let file = try FileSystem.status(of: folder.file().path)?.identity
    try store.update { $0["a"] = 1 }
    #expect(try FileSystem.status(of: folder.file().path)?.identity == file)
  }

  @Test func savesWhatIsLeftWhenItGoesAway() throws {
    do {
      let store = PropertyListFileStore(url: folder.file(), saving: .debounced(.seconds(60)))
      try store.save(1, for: "a")
    }
    #expect(try folder.contents() == ["a": 1])
  }

  @Test func refusesNamesThatLeadElsewhere() {
    for name in ["", "/etc/x", "../x", "a/b", "a..b"] {
      let error = #expect(throws: DefaultsError.self) { try PropertyListFileStore(domain: name) }
      #expect(error?.code == .invalidName)
    }
  }

  @Test func threadsLoseNothing() throws {
    let store = PropertyListFileStore(url: folder.file())
    onThreads(4) { thread in
      for number in 0..<25 { try? store.save(PropertyList(number), for: "\(thread).\(number)") }
    }
    #expect(try folder.contents().count == 100)
  }

  @Test func delaysOfAnyLengthAreAccepted() async throws {
    let folder = try TestFolder()
    let longest = Duration(
      secondsComponent: 9_223_372_036_854_775, attosecondsComponent: 999_000_000_000_000_000)
    let store = PropertyListFileStore(url: folder.file("long.plist"), saving: .debounced(longest))
    try store.save(1, for: "a")
    let negative = PropertyListFileStore(url: folder.file(), saving: .debounced(.seconds(Int64.min)))
    try negative.save(1, for: "a")
    #expect(await eventually { (try? folder.contents()) == ["a": 1] })
  }

  @Test func twoDotsAfterALinkAreFollowedByTheSystem() throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(at: folder.file("real/sub"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("real/sub"))
    let url = URL(fileURLWithPath: "\(folder.url.path)/link/../x.plist")
    @Shared(.fileStorage(url, saving: .immediately)) var count = 0
    $count.withLock { $0 = 1 }
    #expect(try folder.names() == ["link", "real"])
    #expect(FileManager.default.fileExists(atPath: folder.file("real/x.plist").path))
  }
}
