import Foundation
import ObservableDefaults
import ObservableDefaultsFoundation
import Plist
import Testing

/// A handler that blocks its thread holds up only its own store.
struct BlockedHandlerTests {
  /// Blocks a handler of the first store, and expects the second still to report a change.
  private func expectSeparateDelivery(
    _ stores: [any DefaultsStore], change: (Int) throws -> Void
  ) async throws {
    let gate = DispatchSemaphore(value: 0)
    let (blocked, changes) = (Recorder<DefaultsChange>(), Recorder<DefaultsChange>())
    let tokens = [
      stores[0].subscribe { change in
        blocked.record(change)
        if blocked.events.count == 1 { gate.wait() }
      },
      stores[1].subscribe { changes.record($0) },
    ]
    defer { gate.signal() }
    try change(0)
    try #require(await eventually { !blocked.events.isEmpty })
    try change(1)
    let isReported = await eventually { !changes.events.isEmpty }
    #expect(isReported)
    // What another test registers shows in all `UserDefaults` of the process.
    #expect(changes.events.contains { $0.origin == .external && $0.keys?.contains("key") == true })
    withExtendedLifetime(tokens) {}
  }

  @Test func files() async throws {
    let folder = try TestFolder()
    let files = ["one.plist", "two.plist"].map { folder.file($0) }
    try await expectSeparateDelivery(files.map { PropertyListFileStore(url: $0) }) { number in
      try PropertyList(["key": 1]).write(to: files[number], format: .xml)
    }
  }

  @Test func filesInFoldersThatDoNotExist() async throws {
    let folder = try TestFolder()
    let folders = ["one", "two"].map { folder.url.appending(path: $0) }
    let files = folders.map { $0.appending(path: "settings.plist") }
    try await expectSeparateDelivery(files.map { PropertyListFileStore(url: $0) }) { number in
      try FileManager.default.createDirectory(at: folders[number], withIntermediateDirectories: true)
      try PropertyList(["key": 1]).write(to: files[number], format: .xml)
    }
  }

  #if os(Linux)
  @Test func userDefaults() async throws {
    let suites = (0..<2).map { _ in "swift-plist-tests-\(UUID())" }
    let defaults = try suites.map { try #require(UserDefaults(suiteName: $0)) }
    let stores = try suites.map { try UserDefaultsStore(suiteName: $0) }
    for store in stores { #expect(try store.load("key") == nil) }
    try await expectSeparateDelivery(stores) { number in
      defaults[number].set(1, forKey: "key")
      defaults[number].synchronize()
    }
  }
  #endif
}
