import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import Plist
import Testing

/// Keys that are equal as `String`s, but different in a property list.
struct CanonicallyEqualKeyTests {
  let folder: TestFolder
  let composed = "caf\u{e9}"
  let decomposed = "cafe\u{301}"

  init() throws { folder = try TestFolder() }

  private var both: PropertyListDictionary { [composed: 1, decomposed: 2] }

  @Test(arguments: [PropertyListFileStore.Saving.immediately, .debounced(.seconds(60))])
  func filesKeepBothValues(_ saving: PropertyListFileStore.Saving) throws {
    let store = PropertyListFileStore(url: folder.file(), saving: saving)
    try store.save(1, for: composed)
    #expect(try store.load(decomposed) == nil)
    try store.save(2, for: decomposed)
    #expect(try store.load(composed) == 1)
    #expect(try store.load(decomposed) == 2)
    try store.flush()
    #expect(try folder.contents() == both)
  }

  @Test func aHiddenChangeOfOneKeyDoesNotHideTheOther() async throws {
    let store = PropertyListFileStore(url: folder.file(), saving: .debounced(.seconds(60)))
    let (one, other) = (DefaultKey(composed, default: 0), DefaultKey(decomposed, default: 0))
    let references = (store.reference(for: one), store.reference(for: other))
    references.0.value = 5
    #expect(references.1.value == 0)
    try PropertyList.dictionary(both).write(to: folder.file(), format: .binary)
    #expect(await eventually { references.1.value == 2 })
    #expect(references.0.value == 5)
  }

  @Test func batchesKeepBothValues() throws {
    let backend = MockCloudBackend()
    let memory = InMemoryStore(both)
    let stores: [any DefaultsStore] = [
      memory, PropertyListFileStore(url: folder.file()), CloudStore(backend, developmentMode: false),
    ]
    for store in stores {
      try store.update { batch in
        batch[composed] = 1
        batch[decomposed] = 2
      }
      #expect(try store.load(composed) == 1)
      #expect(try store.load(decomposed) == 2)
      // Assigning to the composed key changes nothing, since its value is 1 already.
      try store.update { batch in
        batch[composed] = 1
        batch[decomposed] = 3
      }
      #expect(try store.load(decomposed) == 3)
    }
    #expect(backend.contents == [composed: 1, decomposed: 3])
    #expect(try folder.contents() == [composed: 1, decomposed: 3])
  }

  @Test func referencesKeepBothValues() throws {
    let store = InMemoryStore(both)
    let one = store.reference(for: DefaultKey(composed, default: 0))
    let other = store.reference(for: DefaultKey(decomposed, default: 0))
    #expect((one.value, other.value) == (1, 2))
    other.value = 3
    #expect(store.contents == [composed: 1, decomposed: 3])
    store.simulateExternalChange(4, for: composed)
    #expect((one.value, other.value) == (4, 3))
    #expect(StoreKey<Int>.appStorage(composed) != .appStorage(decomposed))
  }

  @Test func valuesInMemoryAreSeparate() {
    let (one, other): (InMemoryKey<Int>, InMemoryKey<Int>) = (.inMemory(composed), .inMemory(decomposed))
    #expect(one != other)
    withDefaultsStore(InMemoryStore()) {
      one.save(1)
      #expect(other.load() == nil)
      let values = (Shared(wrappedValue: 0, one), Shared(wrappedValue: 0, other))
      values.1.wrappedValue = 2
      #expect((values.0.wrappedValue, values.1.wrappedValue) == (1, 2))
      #expect((one.load(), other.load()) == (1, 2))
    }
  }

  /// Saves a value for the decomposed key before one for the composed key.
  private struct PairStore: DefaultsStore {
    let store = InMemoryStore()
    var identity: DefaultsStoreIdentity { store.identity }
    func load(_ key: String) -> PropertyList? { try? store.load(key) }
    func save(_ value: PropertyList?, for key: String) throws {
      if PlistText(key) == "caf\u{e9}" { try store.save(value, for: "cafe\u{301}") }
      try store.save(value, for: key)
    }
    func update(_ body: (inout DefaultsBatch) throws -> Void) throws { try store.update(body) }
    func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
      store.subscribe(handler)
    }
  }

  @Test func aSaveOfOneKeyDoesNotEndTheSaveOfTheOther() {
    let store = PairStore()
    let reference = store.reference(for: DefaultKey(composed, default: 0))
    let calls = Recorder<Void>()
    let token = store.subscribe { _ in
      calls.record(())
      if calls.events.count == 1 { reference.value = 2 }
    }
    reference.value = 1
    #expect(reference.value == 2)
    #expect(store.load(composed) == 2)
    withExtendedLifetime(token) {}
  }

  @Test func searchListsKeepBothValues() throws {
    let application = InMemoryStore(both)
    let store = SearchListStore(arguments: [], application: application)
    #expect(try store.load(composed) == 1)
    #expect(try store.load(decomposed) == 2)
    #expect(try store.load(composed) == 1)
    for (key, value) in [(composed, 3), (decomposed, 4)] {
      application.simulateExternalChange(PropertyList(value), for: key)
      #expect(try store.load(key)?.int == value)
    }
  }

  @Test func identitiesOfFilesDiffer() {
    let identities = [composed, decomposed].map { PropertyListFileStore(url: folder.file($0)).identity }
    #expect(identities[0] != identities[1])
  }
}
