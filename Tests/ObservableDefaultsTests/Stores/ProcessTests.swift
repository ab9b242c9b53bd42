import Foundation
import ObservableDefaults
import Plist
import Testing

@Suite(.serialized)
struct ProcessTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func twoProcessesLoseNothing() async throws {
    // Each save waits for the disk, which takes long on a busy machine, so there are few by default.
    let count = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1" ? 1000 : 200
    let first = try Probe("write", folder.file().path, "a", "\(count)")
    let second = try Probe("write", folder.file().path, "b", "\(count)")
    #expect(await first.status() == 0)
    #expect(await second.status() == 0)
    let contents = try folder.contents()
    #expect(contents.count == 2 * count)
    for number in 0..<count {
      #expect(contents["a\(number)"]?.int == number)
      #expect(contents["b\(number)"]?.int == number)
    }
  }

  @Test func whatWasAcknowledgedOutlivesAKilledProcess() async throws {
    // On a thread of its own, so that each process is killed while it writes.
    try await onThread { [self] in try killProcesses() }
  }

  private func killProcesses() throws {
    var acknowledged: [String] = []
    for round in 0..<8 {
      let probe = try Probe("write", folder.file().path, "\(round).", "1000")
      #expect(eventually { !probe.lines.isEmpty })
      usleep(.random(in: 0...60_000))
      probe.kill()
      #expect(probe.status() != nil)
      acknowledged += probe.lines
      let contents = try folder.contents()
      #expect(acknowledged.allSatisfy { contents[$0] != nil })
    }
    #expect(acknowledged.count > 8)
    try PropertyListFileStore(url: folder.file()).save(1, for: "last")
    let hidden = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(hidden == [".settings.plist.lock", "settings.plist"])
  }

  @Test func whatIsLeftIsSavedOnExit() async throws {
    let probe = try Probe("write-later", folder.file().path, "key")
    #expect(await probe.status() == 0)
    #expect(try folder.contents() == ["key": "later"])
  }

  @Test func oneProcessSeesWhatTheOtherChanges() async throws {
    let watcher = try Probe("watch", folder.file().path)
    #expect(await eventually { watcher.lines == ["watching, the greeting is Hello"] })
    let first = try Probe("greet", folder.file().path, "Good day")
    #expect(await first.status() == 0)
    #expect(await eventually { watcher.lines.count == 2 })
    let second = try Probe("greet", folder.file().path, "Good evening")
    #expect(await second.status() == 0)
    #expect(await eventually { watcher.lines.count == 3 })
    #expect(watcher.lines.dropFirst() == ["Hello → Good day", "Good day → Good evening"])
  }

  #if os(Linux)
  private static let unshare = URL(filePath: "/usr/bin/unshare")

  /// Whether this process may create a mount namespace.
  private static let canMount: Bool = {
    guard FileManager.default.isExecutableFile(atPath: unshare.path) else { return false }
    return (try? Probe(unshare, ["-m", "true"]).status()) == 0
  }()

  /// Containers mount single files: the process sees another folder than the one in which the file changes.
  @Test(.enabled(if: canMount)) func aMountedFileIsWatched() async throws {
    let mounted = folder.file("container/settings.plist")
    try FileManager.default.createDirectory(
      at: mounted.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: mounted)
    try (["greeting": "Hello"] as PropertyList).write(to: folder.file(), format: .xml)
    let probe = Probe.url.path
    let script = "mount --bind '\(folder.file().path)' '\(mounted.path)' && exec '\(probe)' watch '\(mounted.path)'"
    let watcher = try Probe(Self.unshare, ["-m", "sh", "-c", script])
    #expect(await eventually { watcher.lines == ["watching, the greeting is Hello"] })
    try folder.writeInPlace(["greeting": "Good day"])
    #expect(await eventually { watcher.lines.count == 2 })
    #expect(watcher.lines.last == "Hello → Good day")
    watcher.kill()
  }
  #endif
}
