import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import Plist
import Testing

/// Stores with the same identity, which share their values.
struct EqualStoreTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func store(_ delay: Duration = .seconds(60)) -> PropertyListFileStore {
    PropertyListFileStore(url: folder.file(), saving: .debounced(delay))
  }

  @Test func flushWritesTheValuesOfAllReferences() throws {
    let theme = store().reference(for: DefaultKey("theme", default: ""))
    let size = store().reference(for: DefaultKey("size", default: 0))
    size.value = 14
    theme.value = "dark"
    try store().flush()
    #expect(try folder.contents() == ["size": 14, "theme": "dark"])
  }

  @Test func valuesAreShared() throws {
    let (one, other) = (store(), store())
    try one.save(1, for: "count")
    #expect(try other.load("count") == 1)
    #expect(try other.contents == ["count": 1])
    try other.update { $0["count"] = PropertyList(($0["count"]?.int ?? 0) + 1) }
    #expect(try one.load("count") == 2)
  }

  @Test func subscribersOfAllStoresAreTold() throws {
    let (one, other) = (store(), store())
    let (changes, otherChanges) = (Recorder<DefaultsChange>(), Recorder<DefaultsChange>())
    let tokens = [one.subscribe { changes.record($0) }, other.subscribe { otherChanges.record($0) }]
    try other.save(1, for: "count")
    #expect(changes.events == [DefaultsChange(origin: .local, keys: ["count"])])
    #expect(otherChanges.events == changes.events)
    withExtendedLifetime(tokens) {}
  }

  @Test func aReleasedStoreLeavesItsValuesToTheOthers() async throws {
    let one = store(.milliseconds(50))
    try store(.milliseconds(50)).save(1, for: "count")
    #expect(try one.load("count") == 1)
    #expect(await eventually { (try? folder.contents()) == ["count": 1] })
  }

  @Test func theLastStoreWritesWhatIsLeft() throws {
    do {
      let one = store()
      try store().save(1, for: "count")
      #expect(try folder.names() == [])
      withExtendedLifetime(one) {}
    }
    #expect(try folder.contents() == ["count": 1])
  }

  @Test func aStoreThatIsCreatedDuringTheLastWriteHasTheValues() throws {
    try PropertyListFileStore(url: folder.file()).save(0, for: "other")
    let lock = LockedFile(folder.file())
    let saved = DispatchSemaphore(value: 0)
    let values = Recorder<PropertyList?>()
    onThreads(2) { [self] number in
      if number == 0 {
        do {
          let old = store()
          try? old.save(1, for: "count")
          withExtendedLifetime(old) { _ = saved.signal() }
        }
      } else {
        saved.wait()
        // After 0.3 seconds, thread 0 has usually released its store, whose last write is waiting for the lock.
        usleep(300_000)
        let new = store()
        values.record(try? new.load("count"))
        try? new.save(2, for: "count")
        withExtendedLifetime(new) { lock.unlock() }
      }
    }
    #expect(values.events == [1])
    #expect(try folder.contents() == ["other": 0, "count": 2])
  }

  @Test func aReleasedStoreWritesItsValuesDuringASubscription() throws {
    let token: DefaultsSubscription
    do {
      let store = store()
      token = store.subscribe { _ in }
      try store.save(1, for: "count")
    }
    #expect(try folder.contents() == ["count": 1])
    withExtendedLifetime(token) {}
  }

  @Test func failuresAreShared() async throws {
    let (one, other) = (store(.milliseconds(200)), store(.milliseconds(200)))
    try one.save(1, for: "count")
    try FileManager.default.createDirectory(at: folder.file(), withIntermediateDirectories: true)
    #expect(await eventually { one.savingFailure != nil })
    #expect(other.savingFailure != nil)
    #expect(throws: DefaultsError.self) { try other.flush() }
    try FileManager.default.removeItem(at: folder.file())
    try other.flush()
    #expect(try folder.contents() == ["count": 1])
  }

  @Test func discardingMakesReferencesStoreTheirValues() throws {
    try Data("damaged".utf8).write(to: folder.file())
    let count = store().reference(for: DefaultKey("count", default: 0))
    count.value = 5
    #expect(count.error != nil)
    try store().discardUnreadableFile()
    #expect(count.error == nil)
    try store().flush()
    #expect(try folder.contents() == ["count": 5])
  }

  @Test func theIdentityDoesNotDependOnLinks() throws {
    let link = folder.file("current").path
    for name in ["1", "2"] {
      try PropertyListFileStore(url: folder.file("\(name)/settings.plist")).save(1, for: "count")
    }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "1")
    let store = PropertyListFileStore(url: folder.file("current/settings.plist"))
    let identity = store.identity
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "2")
    #expect(store.identity == identity)
    #expect(PropertyListFileStore(url: store.url).identity == identity)
    #expect(PropertyListFileStore(url: folder.file("2/settings.plist")).identity != identity)
  }

  @Test func cloudStoresOfABackend() throws {
    let backend = MockCloudBackend()
    let (one, other) = (CloudStore(backend, developmentMode: false), CloudStore(backend, developmentMode: false))
    let volume = one.reference(for: DefaultKey("volume", default: 0.5))
    let changes = Recorder<DefaultsChange>()
    let token = other.subscribe { changes.record($0) }
    #expect(volume.value == 0.5)
    try other.save(0.75, for: "volume")
    #expect(volume.value == 0.75)
    volume.value = 1
    #expect(changes.events == Array(repeating: DefaultsChange(origin: .local, keys: ["volume"]), count: 2))
    changes.clear()
    backend.simulateChange(["volume": 0.25])
    #expect(changes.events.count == 1)
    #expect(volume.value == 0.25)
    withExtendedLifetime(token) {}
  }

  @Test func cloudStoresOfABackendWithOtherOptions() throws {
    let backend = MockCloudBackend()
    let one = CloudStore(backend, developmentMode: false)
    let immediate = CloudStore(backend, synchronizesImmediately: true, developmentMode: false)
    let limited = CloudStore(backend, developmentMode: false, limits: CloudStore.Limits(bytes: 100))
    let key = DefaultKey("name", default: "")
    let references = [one, immediate, limited].map { $0.reference(for: key) }
    #expect(Set([one, immediate, limited].map(\.identity)).count == 3)
    let synchronizations = backend.synchronizations
    references[1].value = "a"
    #expect(backend.synchronizations == synchronizations + 1)
    #expect(references.map(\.value) == ["a", "a", "a"])
    references[0].value = String(repeating: "b", count: 200)
    #expect(references[2].value == references[0].value)
    references[2].value = String(repeating: "c", count: 200)
    #expect((references[2].error as? DefaultsError)?.code == .quotaExceeded)
    #expect(references[0].error == nil)
  }
}
