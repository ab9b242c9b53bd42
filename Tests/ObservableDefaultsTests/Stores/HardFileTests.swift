import Foundation
import ObservableDefaults
import Plist
import Testing

struct HardFileTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func aStoppedLockHolderGivesAnError() async throws {
    // The saves wait ten seconds for the lock, so keep them off the concurrency pool.
    try await onThread { [self] in try saveDuringALock() }
  }

  private func saveDuringALock() throws {
    let store = PropertyListFileStore(url: folder.file())
    try store.save(1, for: "count")
    // Sound, here and below: the path is zero-terminated and valid during the call. With O_CLOEXEC, no child process of
    // another test inherits the descriptor and keeps the lock.
    let lock = unsafe open(folder.file(".settings.plist.lock").path, O_RDONLY | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX) == 0)
    let errors = Recorder<String>()
    onThreads(3) { number in
      if number == 0 {
        usleep(200_000)
        errors.record((try? store.load("count")) != nil ? "read" : "stuck")
      } else {
        do { try store.save(2, for: "count") } catch { errors.record((error as? DefaultsError)?.code.name ?? "other") }
      }
    }
    #expect(errors.events == ["read", "lockedFile", "lockedFile"])
    close(lock)
    try store.save(3, for: "count")
    #expect(try store.load("count") == 3)
  }

  @Test func aPipeIsNotWaitedFor() throws {
    let status = unsafe mkfifo(folder.file().path, 0o600)
    #expect(status == 0)
    let store = PropertyListFileStore(url: folder.file())
    let error = #expect(throws: DefaultsError.self) { try store.load("count") }
    #expect(error?.code == .unreadableFile)
    #expect(throws: DefaultsError.self) { try store.save(1, for: "count") }
  }

  @Test func aSlowWriterLeavesNoCopy() async throws {
    let list: PropertyList = ["text": .string(String(repeating: "x", count: 1000))]
    let data = try list.data(format: .xml)
    try data.prefix(300).write(to: folder.file())
    let store = PropertyListFileStore(url: folder.file())
    #expect(throws: DefaultsError.self) { try store.load("text") }
    #expect(try folder.names() == ["settings.plist"])
    let handle = try FileHandle(forWritingTo: folder.file())
    try handle.seekToEnd()
    try handle.write(contentsOf: data.dropFirst(300))
    try handle.close()
    #expect(try store.load("text") == list["text"])
    #expect(try folder.names() == ["settings.plist"])
  }

  @Test func discardingKeepsValuesThatWereSetMeanwhile() throws {
    try Data("damaged".utf8).write(to: folder.file())
    let store = PropertyListFileStore(url: folder.file())
    let count = store.reference(for: DefaultKey("count", default: 0))
    let other = store.reference(for: DefaultKey("other", default: 0))
    count.value = 5
    #expect((count.error as? DefaultsError)?.code == .corruptFile)
    try store.discardUnreadableFile()
    #expect((count.value, other.value) == (5, 0))
    #expect(count.error == nil && other.error == nil)
    #expect(try folder.contents() == ["count": 5])
  }
}
