import Foundation
import ObservableDefaults
import Observation
import Plist
import Testing

/// Delayed writes that fail.
struct DelayedFailureTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func setWritable(_ isWritable: Bool) throws {
    let permissions = isWritable ? 0o600 : 0o400
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: folder.file().path)
  }

  @Test func aReferenceShowsTheFailureUntilTheValueIsWritten() async throws {
    try PropertyList.array([1]).write(to: folder.file(), format: .xml)
    try setWritable(false)
    @Shared(.fileStorage(folder.file(), saving: .debounced(.milliseconds(20)))) var document = [0]
    let reports = Recorder<Bool>()
    withObservationTracking {
      _ = $document.error
    } onChange: {
      reports.record(true)
    }
    document.append(2)
    #expect(await eventually { $document.error != nil })
    #expect(($document.error as? DefaultsError)?.code == .unwritableFile)
    #expect(!reports.events.isEmpty)
    #expect(document == [1, 2])
    // The value is still not on disk, so assigning another must not hide the error.
    document.append(3)
    #expect($document.error != nil)
    #expect(document == [1, 2, 3])
    try setWritable(true)
    #expect(await eventually { $document.error == nil })
    #expect(try PropertyList(contentsOf: folder.file()) == [1, 2, 3])
  }

  @Test func onlyTheUnwrittenValuesShowIt() async throws {
    try PropertyList.dictionary(["old": 1]).write(to: folder.file(), format: .binary)
    try setWritable(false)
    let store = PropertyListFileStore(url: folder.file(), saving: .debounced(.seconds(60)))
    let (set, other) = (
      store.reference(for: DefaultKey("set", default: 0)), store.reference(for: DefaultKey("other", default: 0))
    )
    let list = SearchListStore(arguments: [], application: store)
    let listed = list.reference(for: DefaultKey("set", default: 0))
    set.value = 1
    #expect(set.error == nil)
    #expect(throws: DefaultsError.self) { try store.flush() }
    #expect(set.error != nil)
    #expect(await eventually { listed.error != nil })
    #expect(other.error == nil)
    #expect(store.savingFailure != nil)
    try setWritable(true)
    try store.flush()
    #expect(set.error == nil)
    #expect(await eventually { listed.error == nil })
    #expect(store.savingFailure == nil)
    #expect(try folder.contents() == ["old": 1, "set": 1])
  }

  @Test func theStoreOfADocumentCanBeFlushed() throws {
    @Shared(.fileStorage(folder.file(), saving: .debounced(.seconds(60)))) var document = [1]
    document.append(2)
    #expect(try folder.names() == [])
    try #require($document.store).flush()
    #expect(try PropertyList(contentsOf: folder.file()) == [1, 2])
    let key: StoreKey<[Int]> = .fileStorage(folder.file(), saving: .debounced(.seconds(60)))
    #expect(key.store.identity == $document.store?.identity)
    #expect($document.reference.store?.identity == key.store.identity)
    #expect(Shared(value: 1).store == nil)
  }
}
