import Foundation
import ObservableDefaults
import ObservableDefaultsTesting
import Plist
import Testing

/// Settings that a test uses outside its task.
struct EscapedUseTests {
  @Test func nothingOutsideOfATestReachesTheDisk() async throws {
    let folder = try TestFolder()
    let home = folder.file("home")
    let document = folder.file("document.plist")
    let probe = try Probe("escape", document.path, environment: ["XDG_CONFIG_HOME": home.path])
    #expect(await probe.status() == 0)
    let lines = probe.lines
    // Values are shared as in any store, and each key is reported once.
    #expect(lines.filter { !$0.hasPrefix("the setting") } == ["1.5 2", "2.5 3"])
    let reports = lines.filter { $0.hasPrefix("the setting") }
    #expect(reports.count == 2)
    #expect(reports.first?.contains("\"volume\" in the standard store") == true)
    #expect(reports.last?.contains(document.path) == true)
    #expect(try folder.names() == [])
  }

  @Test(.isolatedDefaults) func whatTheTestCreatesKeepsItsStore() async throws {
    @UserDefault("volume") var volume = 0.5
    let setting = $volume
    await Task.detached { setting.value = 0.75 }.value
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        setting.withLock { $0 += 1 }
        continuation.resume()
      }
    }
    #expect(volume == 1.75)
    #expect((DefaultsStores.current as? InMemoryStore)?.contents == ["volume": 1.75])
  }
}
