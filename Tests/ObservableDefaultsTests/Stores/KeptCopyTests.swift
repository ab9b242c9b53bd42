import Foundation
import ObservableDefaults
import Plist
import Testing

/// Values that a program cannot read, and is about to replace.
struct KeptCopyTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func aReplacedValueOfAnotherTypeIsKept() {
    let store = InMemoryStore(["volume": "loud"])
    let volume = store.reference(for: DefaultKey("volume", default: 0.5))
    #expect(volume.value == 0.5)
    #expect(store.contents == ["volume": "loud"])
    volume.value = 0.75
    #expect(store.contents == ["volume": 0.75, "volume.undecodable": "loud"])
    volume.value = 1
    #expect(store.contents == ["volume": 1.0, "volume.undecodable": "loud"])
    store.simulateExternalChange("quiet", for: "volume")
    volume.value = 0.25
    #expect(
      store.contents == ["volume": 0.25, "volume.undecodable": "loud", "volume.undecodable-2": "quiet"])
    store.simulateExternalChange("quiet", for: "volume")
    volume.reset()
    #expect(store.contents == ["volume.undecodable": "loud", "volume.undecodable-2": "quiet"])
  }

  @Test func setWithLockAndNilKeepItToo() {
    let store = InMemoryStore(["count": [1], "name": 5])
    store.reference(for: DefaultKey("count", default: 0)).withLock { $0 += 1 }
    let name = store.reference(for: DefaultKey<String?>("name"))
    #expect(name.error != nil)
    name.value = "Ada"
    name.value = nil
    #expect(store.contents == ["count": 1, "count.undecodable": [1], "name.undecodable": 5])
  }

  @Test func batchesKeepIt() throws {
    let count = DefaultKey("count", default: 0)
    let store = InMemoryStore(["count": [1]])
    try store.update { try $0.set(2, for: count) }
    #expect(store.contents == ["count": 2, "count.undecodable": [1]])
    store.simulateExternalChange("x", for: "count")
    try store.reset(count)
    #expect(store.contents == ["count.undecodable": [1], "count.undecodable-2": "x"])
  }

  @Test func aValueThatHasBecomeReadableIsNotKept() {
    let store = InMemoryStore(["count": [1]])
    let count = store.reference(for: DefaultKey("count", default: 0))
    store.simulateExternalChange(3, for: "count")
    count.value = 4
    #expect(store.contents == ["count": 4])
  }

  @Test func aKeyOfItsOwnKeepsIt() throws {
    let store = InMemoryStore(["count": [1]])
    let key: StoreKey<Int> = .appStorage("count", store: store)
    try key.save(2)
    #expect(store.contents == ["count": 2, "count.undecodable": [1]])
    try key.save(3)
    #expect(store.contents == ["count": 3, "count.undecodable": [1]])
  }

  @Test(arguments: [PropertyListFileStore.Saving.immediately, .debounced(.seconds(60))])
  func filesKeepIt(_ saving: PropertyListFileStore.Saving) throws {
    try (["count": [1], "other": 2] as PropertyList).write(to: folder.file(), format: .xml)
    let store = PropertyListFileStore(url: folder.file(), saving: saving)
    store.reference(for: DefaultKey("count", default: 0)).value = 3
    try store.flush()
    #expect(try folder.contents() == ["count": 3, "count.undecodable": [1], "other": 2])
  }

  @Test func aSearchListKeepsWhatItReplaces() throws {
    let application = InMemoryStore(["count": [1]])
    let store = SearchListStore(arguments: ["tool", "-other", "x"], application: application)
    store.reference(for: DefaultKey("count", default: 0)).value = 3
    let other = store.reference(for: DefaultKey("other", default: 0))
    for number in 1...3 { other.value = number }
    // The argument is not replaced, and the application's own values are readable.
    #expect(application.contents == ["count": 3, "count.undecodable": [1], "other": 3])
  }

  @Test(arguments: [PropertyListFileStore.Saving.immediately, .debounced(.seconds(60))])
  func aFileWithOneValueIsCopied(_ saving: PropertyListFileStore.Saving) throws {
    let before = try PropertyList(["not": "a list"]).data(format: .xml)
    try before.write(to: folder.file())
    @Shared(.fileStorage(folder.file(), saving: saving)) var numbers: [Int] = []
    #expect($numbers.error != nil)
    numbers.append(1)
    try $numbers.store?.flush()
    #expect(try PropertyList(contentsOf: folder.file()) == [1])
    #expect(try Data(contentsOf: folder.file("settings.plist.undecodable")) == before)
    numbers.append(2)
    try $numbers.store?.flush()
    #expect(try folder.names() == ["settings.plist", "settings.plist.undecodable"])
  }

  @Test func readingMakesNoCopies() throws {
    let data = try (["text": .string(String(repeating: "x", count: 1000))] as PropertyList).data(format: .xml)
    let store = PropertyListFileStore(url: folder.file())
    let token = store.subscribe { _ in }
    for length in stride(from: 100, to: 1000, by: 300) {
      try data.prefix(length).write(to: folder.file())
      #expect(throws: DefaultsError.self) { try store.load("text") }
    }
    #expect(try folder.names() == ["settings.plist"])
    withExtendedLifetime(token) {}
  }
}
