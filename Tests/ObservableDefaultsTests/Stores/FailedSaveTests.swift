import Foundation
import ObservableDefaults
import Plist
import Testing

/// Changes by other processes that a store notices during a failed call, or in the first successful one after it.
struct FailedSaveTests {
  let folder: TestFolder
  let store: PropertyListFileStore

  init() throws {
    folder = try TestFolder()
    store = PropertyListFileStore(url: folder.file(), format: .xml)
    try store.save("light", for: "theme")
  }

  /// Subscribes, and blocks the thread that reports the first change for which `isLast` is true.
  private func blockingObserver(
    _ gate: DispatchSemaphore, after isLast: @escaping @Sendable (DefaultsChange) -> Bool
  ) -> (token: DefaultsSubscription, blocked: Recorder<Void>) {
    let blocked = Recorder<Void>()
    let token = store.subscribe { change in
      guard isLast(change), blocked.events.isEmpty else { return }
      blocked.record(())
      gate.wait()
    }
    return (token, blocked)
  }

  /// Waits without `await` for the observer to block its thread, and gives up after five minutes.
  ///
  /// While many tests run, a suspended task can wait for minutes until a thread resumes it.
  private func isBlocked(_ blocked: Recorder<Void>) -> Bool {
    for _ in 0..<300_000 where blocked.events.isEmpty { usleep(1000) }
    return !blocked.events.isEmpty
  }

  @Test(arguments: [PropertyListFileStore.Saving.immediately, .debounced(.seconds(60))])
  func flushReportsAnUnreadableFile(_ saving: PropertyListFileStore.Saving) throws {
    let file = folder.file()
    let store = PropertyListFileStore(url: file, format: .xml, saving: saving)
    let theme = store.reference(for: DefaultKey("theme", default: ""))
    try Data("no property list <<<".utf8).write(to: file)
    #expect(throws: DefaultsError.self) { try store.flush() }
    theme.value = "dark"
    #expect(throws: DefaultsError.self) { try store.flush() }
    #expect(try Data(contentsOf: file) == Data("no property list <<<".utf8))
  }

  /// A delayed write with nothing to write does not report that the file has become unreadable meanwhile.
  @Test func aDelayedWriteOfNothingSucceeds() async throws {
    let file = folder.file()
    let store = PropertyListFileStore(url: file, format: .xml, saving: .debounced(.milliseconds(300)))
    try store.save("dark", for: "theme")
    try store.flush()
    try Data("no property list <<<".utf8).write(to: file)
    try await Task.sleep(for: .milliseconds(600))
    #expect(store.savingFailure == nil)
  }

  @Test func aChangeOfTheKeyIsReported() async throws {
    let theme = store.reference(for: DefaultKey("theme", default: ""))
    let changes = Recorder<DefaultsChange>()
    let token = store.subscribe { changes.record($0) }
    let lock = LockedFile(folder.file())
    let results = Recorder<Bool>()
    onThreads(2) { [folder, store] number in
      if number == 0 {
        results.record((try? store.save("dark", for: "theme")) != nil)
      } else {
        // After 0.3 seconds, the saving thread is usually waiting for the lock.
        usleep(300_000)
        // Without permission to write, the save fails after reading the file.
        let list: PropertyList = ["theme": "grey", "odd": 1]
        try? list.write(to: folder.file(), format: .binary)
        try? FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.file().path)
        for _ in 0..<5000 where !changes.events.contains(where: { $0.keys?.contains("odd") == true }) { usleep(1000) }
        lock.unlock()
      }
    }
    #expect(results.events == [false])
    #expect(try store.load("theme") == "grey")
    #expect(await eventually { theme.value == "grey" })
    #expect(!changes.events.contains { $0.origin == .local })
    withExtendedLifetime(token) {}
  }

  @Test func aValueIsInvisibleUntilItIsSaved() throws {
    let lock = LockedFile(folder.file())
    let values = Recorder<PropertyList?>()
    onThreads(2) { [store] number in
      if number == 0 {
        try? store.save("dark", for: "theme")
      } else {
        usleep(300_000)
        values.record(try? store.load("theme"))
        values.record((try? store.contents)?["theme"])
        lock.unlock()
      }
    }
    #expect(values.events == ["light", "light"])
    #expect(try store.load("theme") == "dark")
  }

  @Test func anUnreadableFileIsReported() async throws {
    let theme = store.reference(for: DefaultKey("theme", default: ""))
    // While the file observer's thread is blocked, only the save can notice that the file has become unreadable.
    let gate = DispatchSemaphore(value: 0)
    let (token, blocked) = blockingObserver(gate) { $0.keys == ["theme"] }
    do {
      defer { gate.signal() }
      try PropertyList.dictionary(["theme": "grey"]).write(to: folder.file(), format: .xml)
      #expect(isBlocked(blocked))
      try Data("damaged".utf8).write(to: folder.file())
      #expect(throws: DefaultsError.self) { try store.save(1, for: "other") }
    }
    #expect(await eventually { theme.error != nil })
    withExtendedLifetime(token) {}
  }

  @Test(arguments: ["update", "save"]) func aFileThatIsReadableAgainIsReported(_ method: String) async throws {
    let theme = store.reference(for: DefaultKey("theme", default: ""))
    // While the file observer's thread is blocked, only the next call can notice that the file is readable again.
    let gate = DispatchSemaphore(value: 0)
    let (token, blocked) = blockingObserver(gate) { $0.keys == nil }
    do {
      defer { gate.signal() }
      try Data("damaged".utf8).write(to: folder.file())
      #expect(isBlocked(blocked))
      #expect(theme.error != nil)
      try PropertyList.dictionary(["theme": "light"]).write(to: folder.file(), format: .xml)
      if method == "save" { try store.save(1, for: "other") } else { try store.update { $0["other"] = 1 } }
    }
    #expect(await eventually { theme.error == nil })
    #expect(theme.value == "light")
    withExtendedLifetime(token) {}
  }
}
