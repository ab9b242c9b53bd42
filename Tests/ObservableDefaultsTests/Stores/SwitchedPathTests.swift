import Foundation
import ObservableDefaults
import Plist
import Testing

/// A path that leads to another file once a symbolic link is switched or a folder renamed.
struct SwitchedPathTests {
  let folder: TestFolder
  private let changes = Recorder<DefaultsChange>()

  init() throws {
    folder = try TestFolder()
    for name in ["old", "new"] {
      let conf = folder.file("\(name)/1/conf")
      try FileManager.default.createDirectory(at: conf, withIntermediateDirectories: true)
    }
    try write(1, to: "old/1/conf/settings.plist")
    try write(2, to: "new/1/conf/settings.plist")
  }

  private func write(_ number: Int, to name: String) throws {
    try PropertyList(["number": PropertyList(number)]).write(to: folder.file(name), format: .xml)
  }

  private func rename(_ name: String, to newName: String) {
    // Sound: the paths are valid during the call.
    let status = unsafe Foundation.rename(folder.file(name).path, folder.file(newName).path)
    #expect(status == 0)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.file(name).path, withDestinationPath: target)
  }

  /// Observes a file, switches the path to another with `action`, and then changes that one.
  private func expectChanges(
    at name: String = "current/1/conf/settings.plist", after action: () throws -> Void
  ) async throws {
    let store = PropertyListFileStore(url: folder.file(name), format: .xml)
    let number = store.reference(for: DefaultKey("number", default: 0))
    let token = store.subscribe { [changes] in changes.record($0) }
    #expect(number.value == 1)
    try action()
    #expect(await eventually { number.value == 2 })
    #expect(try store.load("number") == 2)
    // While the path leads nowhere, the store can report a change too.
    #expect(changes.events.allSatisfy { $0 == DefaultsChange(origin: .external, keys: ["number"]) })
    try await Task.sleep(for: .milliseconds(60))
    try write(3, to: name)
    #expect(await eventually { number.value == 3 })
    withExtendedLifetime(token) {}
  }

  @Test func aLinkIsReplaced() async throws {
    try link("current", to: "old")
    try link("next", to: "new")
    try await expectChanges { rename("next", to: "current") }
  }

  @Test func aLinkIsRemovedAndCreated() async throws {
    try link("current", to: "old")
    try link("other", to: "current")
    try await expectChanges(at: "other/1/conf/settings.plist") {
      try FileManager.default.removeItem(at: folder.file("current"))
      try link("current", to: folder.file("new").path)
    }
  }

  @Test func aFolderIsRenamed() async throws {
    rename("old", to: "current")
    try await expectChanges {
      rename("current", to: "old")
      rename("new", to: "current")
    }
  }

  @Test func aFolderOfALinkIsRenamed() async throws {
    try link("current", to: "old/1/..")
    try await expectChanges {
      rename("old", to: "older")
      rename("new", to: "old")
    }
  }
}
