#if Macros
import Foundation
import ObservableDefaults
import ObservableDefaultsFoundation
import Plist
import Testing

@ObservableDefaults
private final class Settings: LocatedSettings {
  var first = "1"
  var second = "2"
  @ObservableOnly var third = "3"
}

@ObservableDefaults(ignoreExternalChanges: true)
private final class Deaf: LocatedSettings {
  var first = "1"
  var second = "2"
}

private let openSuite = "swift-plist-macro-tests-open-\(UUID())"
private let limitedSuite = "swift-plist-macro-tests-limited-\(UUID())"

@ObservableDefaults(suiteName: openSuite, prefix: "p_", limitToInstance: false)
private final class OpenSettings {
  var first = "1"
}

@ObservableDefaults(suiteName: limitedSuite, limitToInstance: true)
private final class LimitedSettings {
  var first = "1"
}

struct ExternalChangeTests {
  @Test(arguments: LocationKind.allCases)
  func signalsWhatChanged(_ kind: LocationKind) async throws {
    let location = try TestLocation(kind)
    let settings = location.make(Settings.self)
    let first = Signals { settings.first }
    let second = Signals { settings.second }
    let third = Signals { settings.third }
    try location.change("changed", for: "first")
    // On Linux, Foundation does not notify about changes by other code; the next read notices them.
    #expect(await eventually { settings.first == "changed" && first.tracked == "changed" })
    #expect(first.values == ["1"])
    try location.change("2", for: "second")
    try location.change("3", for: "third")
    try location.change("again", for: "first")
    #expect(await eventually { settings.first == "again" && first.tracked == "again" && settings.second == "2" })
    #expect(first.values == ["1", "changed"])
    #expect(second.count == 0)
    #expect(third.count == 0)
    try location.change(nil, for: "first")
    #expect(await eventually { settings.first == "1" })
    #expect(first.values == ["1", "changed", "again"])
  }

  @Test(arguments: LocationKind.allCases)
  func anotherObjectIsAnother(_ kind: LocationKind) throws {
    let location = try TestLocation(kind)
    let one = location.make(Settings.self)
    let other = location.make(Settings.self)
    let signals = Signals { one.first }
    other.first = "changed"
    #expect(one.first == "changed")
    #expect(signals.values == ["1"])
  }

  @Test(arguments: LocationKind.allCases)
  func ignoringIsPerObject(_ kind: LocationKind) async throws {
    let location = try TestLocation(kind)
    let deaf = location.make(Deaf.self, prefix: "a_")
    let hearing = location.make(Deaf.self, ignoreExternalChanges: false, prefix: "a_")
    let silence = Signals { deaf.first }
    let signals = Signals { hearing.first }
    try location.change("changed", for: "a_first")
    #expect(await eventually { hearing.first == "changed" && signals.tracked == "changed" })
    #expect(signals.values == ["1"])
    #expect(silence.count == 0)
    #expect(deaf.first == "changed")
    deaf.first = "own"
    #expect(silence.values == ["changed"])
    hearing.first = "other's"
    #expect(silence.values == ["changed"])
    #expect(signals.values == ["1", "changed", "own"])
    #expect(try location.stored("a_first") == "other's")
  }

  @Test(arguments: LocationKind.allCases)
  func ignoredKeyPaths(_ kind: LocationKind) async throws {
    let location = try TestLocation(kind)
    let settings = location.make(Settings.self, ignoring: [\.first])
    let first = Signals { settings.first }
    let second = Signals { settings.second }
    try location.change("changed", for: "first")
    try location.change("changed", for: "second")
    #expect(await eventually { settings.second == "changed" && settings.first == "changed" })
    #expect(second.values == ["2"])
    #expect(first.count == 0)
    settings.first = "own"
    #expect(first.values == ["changed"])
  }

  #if os(Linux)
  @Test func otherProcessesChangesOfASuite() async throws {
    defer {
      for suite in [openSuite, limitedSuite] {
        UserDefaults.standard.removePersistentDomain(forName: suite)
        removeFiles(of: suite)
      }
    }
    let (open, limited) = (OpenSettings(), LimitedSettings())
    let signals = [Signals { open.first }, Signals { limited.first }]
    open.first = "own"
    limited.first = "own"
    for (suite, key) in [(openSuite, "p_first"), (limitedSuite, "first")] {
      let file = suiteFile(suite)
      #expect(await eventually { (try? PropertyList(contentsOf: file))?[key] == "own" })
      // Foundation misses a change of the file while it writes the file itself, so wait.
      try await Task.sleep(for: .milliseconds(300))
      try PropertyList.dictionary([key: "other's"]).write(to: file, format: .xml)
    }
    #expect(await eventually { signals.allSatisfy { $0.values == ["1", "own"] } })
    #expect(await eventually { open.first == "other's" && limited.first == "other's" })
  }
  #endif
}
#endif
