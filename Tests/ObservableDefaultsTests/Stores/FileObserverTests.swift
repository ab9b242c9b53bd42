import Foundation
import Plist
import Testing

@testable import ObservableDefaults

final class FileObserverTests {
  let folder: TestFolder
  let store: PropertyListFileStore
  let changes = Recorder<DefaultsChange>()
  private var token: DefaultsSubscription?

  init() throws {
    folder = try TestFolder()
    store = PropertyListFileStore(url: folder.file(), format: .xml)
    try PropertyList(["same": 1, "changed": 1, "removed": 1]).write(to: folder.file(), format: .xml)
    token = store.subscribe { [changes] in changes.record($0) }
  }

  private func expect(_ keys: Set<String>, after action: () throws -> Void) async throws {
    changes.clear()
    try action()
    #expect(await eventually { !changes.events.isEmpty })
    #expect(changes.events == [DefaultsChange(origin: .external, keys: keys)])
    try await Task.sleep(for: .milliseconds(60))
    #expect(changes.events.count == 1)
  }

  @Test func replacedFile() async throws {
    try await expect(["changed", "removed", "added"]) {
      try PropertyList(["same": 1, "changed": 2, "added": 1]).write(to: folder.file(), format: .binary)
    }
    #expect(try store.load("changed") == 2)
    #expect(try store.load("removed") == nil)
  }

  @Test func fileWrittenInPlace() async throws {
    try await expect(["changed"]) {
      try folder.writeInPlace(["same": 1, "changed": 2, "removed": 1])
    }
    for number in 3...6 {
      try await expect(["changed"]) {
        try folder.writeInPlace(["same": 1, "changed": PropertyList(number), "removed": 1])
      }
    }
    #expect(try store.load("changed") == 6)
  }

  @Test func removedAndCreatedAgain() async throws {
    try await expect(["same", "changed", "removed"]) {
      try FileManager.default.removeItem(at: folder.file())
    }
    #expect(try store.load("same") == nil)
    try await expect(["same"]) {
      try PropertyList(["same": 1]).write(to: folder.file(), format: .xml)
    }
  }

  @Test func folderRemovedAndCreatedAgain() async throws {
    try await expect(["same", "changed", "removed"]) {
      try FileManager.default.removeItem(at: folder.url)
    }
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try await expect(["same"]) {
      try PropertyList(["same": 1]).write(to: folder.file(), format: .xml)
    }
    try await Task.sleep(for: .milliseconds(100))
    try await expect(["same"]) {
      try PropertyList(["same": 2]).write(to: folder.file(), format: .xml)
    }
  }

  @Test func anotherStoreOfTheFile() async throws {
    let other = PropertyListFileStore(url: folder.file(), format: .binary)
    try await expect(["changed"]) { try other.save(5, for: "changed") }
    try await expect(["added"]) { try other.save(true, for: "added") }
  }

  @Test func ownChangesAreLocalAndComeOnce() async throws {
    changes.clear()
    try store.save(2, for: "changed")
    #expect(changes.events == [DefaultsChange(origin: .local, keys: ["changed"])])
    try await Task.sleep(for: .milliseconds(100))
    #expect(changes.events.count == 1)
  }

  @Test func whatOthersChangedIsToldWithAnOwnSave() throws {
    changes.clear()
    try PropertyList(["same": 1, "changed": 2, "removed": 1]).write(to: folder.file(), format: .xml)
    try store.save(2, for: "own")
    #expect(Set(changes.events) == [.init(origin: .external, keys: ["changed"]), .init(origin: .local, keys: ["own"])])
    #expect(try folder.contents() == ["same": 1, "changed": 2, "removed": 1, "own": 2])
  }

  @Test func theTargetOfALinkIsWatched() async throws {
    let elsewhere = try TestFolder()
    let link = folder.file("link.plist")
    try PropertyList(["a": 1]).write(to: elsewhere.file(), format: .xml)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: elsewhere.file())
    let linked = PropertyListFileStore(url: link)
    let token = linked.subscribe { [changes] in changes.record($0) }
    try await expect(["a"]) { try PropertyList(["a": 2]).write(to: elsewhere.file(), format: .xml) }
    try PropertyList(["a": 3]).write(to: elsewhere.file("other.plist"), format: .xml)
    try FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: elsewhere.file("other.plist"))
    #expect(try await eventually { try linked.load("a") == 3 })
    try await Task.sleep(for: .milliseconds(60))
    try await expect(["a"]) {
      try PropertyList(["a": 4]).write(to: elsewhere.file("other.plist"), format: .xml)
    }
    withExtendedLifetime(token) {}
  }

  @Test func corruptionAndRecoveryAreTold() async throws {
    changes.clear()
    try Data("broken".utf8).write(to: folder.file())
    #expect(await eventually { changes.events == [DefaultsChange(origin: .external, keys: nil)] })
    #expect(throws: DefaultsError.self) { try store.load("same") }
    changes.clear()
    try PropertyList(["same": 2]).write(to: folder.file(), format: .xml)
    #expect(await eventually { changes.events == [DefaultsChange(origin: .external, keys: nil)] })
    #expect(try store.load("same") == 2)
  }

  @Test func afterTheSubscriptionNothingIsTold() async throws {
    token = nil
    changes.clear()
    try PropertyList(["same": 2]).write(to: folder.file(), format: .xml)
    try await Task.sleep(for: .milliseconds(100))
    #expect(changes.events.isEmpty)
    #expect(try store.load("same") == 2)
  }

  #if os(Linux)
  @Test func aFolderThatIsInUseIsRemovedAndCreatedAgain() async throws {
    let descriptor = unsafe open(folder.url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    for number in 2...3 {
      try FileManager.default.removeItem(at: folder.url)
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      try PropertyList(["same": PropertyList(number)]).write(to: folder.file(), format: .xml)
      #expect(await eventually { (try? store.load("same")) == PropertyList(number) })
    }
    try folder.writeInPlace(["same": 4])
    #expect(await eventually { (try? store.load("same")) == 4 })
  }

  @Test func linkToAFileWhoseNameIsNotUTF8() async throws {
    let path = Array("\(folder.url.path)/caf".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    // Sound: the paths are zero-terminated and valid during the calls.
    let status = unsafe rename(folder.file().path, path)
    let linkStatus = unsafe symlink(path, folder.file("link.plist").path)
    #expect(status == 0 && linkStatus == 0)
    let store = PropertyListFileStore(url: folder.file("link.plist"), format: .xml)
    let token = store.subscribe { _ in }
    #expect(try store.load("same") == 1)
    try folder.writeInPlace(["same": 2], to: "link.plist")
    #expect(await eventually { (try? store.load("same")) == 2 })
    withExtendedLifetime(token) {}
  }
  #endif

  @Test func anErrorIsNotKept() async throws {
    let reference = store.reference(for: DefaultKey("same", default: 0))
    try FileManager.default.removeItem(at: folder.file())
    try FileManager.default.createSymbolicLink(at: folder.file(), withDestinationURL: folder.url)
    #expect(await eventually { reference.error != nil })
    // In one step, so that the store never finds the file missing.
    try PropertyList(["same": 2]).write(to: folder.file("new.plist"), format: .xml)
    // Sound: the paths are zero-terminated and valid during the call.
    let status = unsafe rename(folder.file("new.plist").path, folder.file().path)
    #expect(status == 0)
    #expect(try store.load("same") == 2)
    #expect(await eventually { reference.value == 2 && reference.error == nil })
  }

  /// The store asks the system whether the file has changed, so it needs no event.
  @Test func aReadLooksAtTheFile() throws {
    for number in 2...20 {
      try folder.writeInPlace(["changed": PropertyList(number)])
      #expect(try store.load("changed") == PropertyList(number))
    }
  }

  @Test func aFileIsWrittenByAnotherName() async throws {
    let other = folder.file("elsewhere/other.plist")
    try FileManager.default.createDirectory(at: folder.file("elsewhere"), withIntermediateDirectories: true)
    try FileManager.default.linkItem(at: folder.file(), to: other)
    try await expect(["changed"]) {
      try folder.writeInPlace(["same": 1, "changed": 7, "removed": 1], to: "elsewhere/other.plist")
    }
  }

  @Test func aFileIsNoticedWithoutEvents() async throws {
    let changes = Recorder<Void>()
    let observer = FileObserver(path: folder.file().path, folders: nil)
    observer.start { _ in changes.record(()) }
    try PropertyList(["same": 2]).write(to: folder.file(), format: .xml)
    #expect(await eventually { changes.events.count == 1 })
    try FileManager.default.removeItem(at: folder.url)
    #expect(await eventually { changes.events.count == 2 })
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try PropertyList(["same": 3]).write(to: folder.file(), format: .xml)
    #expect(await eventually { changes.events.count == 3 })
    observer.stop()
  }

  /// A save renames a finished file, which the store need not read again.
  @Test func ownSavesAreNotRead() async throws {
    let cache = PropertyListFileCache(DefaultsFile(path: folder.file().path, format: .xml), delay: nil)
    let external = Recorder<Void>()
    let token = cache.subscribe { if $0.origin == .external { external.record(()) } }
    // On a busy machine the system can drop events of all tests together, after which the store has to read the file.
    let losses = Recorder<Void>()
    let lossToken = FolderObserver.shared?.observe(folder.url.path, for: "any") { event in
      if event == .eventsAreLost { losses.record(()) }
    }
    for number in 2...20 { _ = try cache.save(PropertyList(number), for: "changed") }
    try PropertyList(["same": 1]).write(to: folder.file(), format: .xml)
    // Events come in order, so those of the saves have all come before.
    #expect(await eventually { !external.events.isEmpty })
    #expect(await eventually { cache.state.withLock { $0.readings } <= 2 + losses.events.count })
    withExtendedLifetime((token, lossToken)) {}
  }
}
