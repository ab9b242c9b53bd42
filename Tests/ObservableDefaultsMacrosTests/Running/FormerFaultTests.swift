#if Macros
import Foundation
import ObservableDefaults
import Plist
import Testing

private final class Evaluations: @unchecked Sendable {
  static let shared = Evaluations()
  private let lock = NSLock()
  private var counts: [String: Int] = [:]

  func count(_ name: String) -> Int { lock.withLock { counts[name, default: 0] } }

  func next(_ name: String) -> Int {
    lock.withLock {
      counts[name, default: 0] += 1
      return 0
    }
  }
}

@ObservableDefaults
private final class Settings {
  var first = "1"
  var second = "2"
}

@ObservableDefaults
private final class Counted {
  var stored = Evaluations.shared.next("stored")
  var typed: Int = Evaluations.shared.next("typed")
  @ObservableOnly var observed = Evaluations.shared.next("observed")
  @Ignore var ignored = Evaluations.shared.next("ignored")
}

@ObservableCloud(developmentMode: true)
private final class CountedCloud {
  var stored = Evaluations.shared.next("cloud")
}

/// Faults that a library of the same name has, or had.
struct FormerFaultTests {
  /// A copy that began with the default, rather than with what is stored, would miss that this is removed, and take the
  /// first change of anything for one of its own.
  @Test(arguments: PlaceKind.allCases)
  func whatIsObservedBeginsWithWhatIsStored(_ kind: PlaceKind) async throws {
    let place = try Place(kind)
    try place.change("stored", for: "first")
    try place.change("stored", for: "second")
    let settings = place.make {
      Settings(store: $0)
    } userDefaults: {
      Settings(userDefaults: $0)
    }
    let (first, second) = (Signals { settings.first }, Signals { settings.second })
    try place.change(nil, for: "first")
    #expect(await eventually { settings.first == "1" })
    #expect(first.values == ["stored"])
    #expect(settings.second == "stored")
    #expect(second.count == 0)
  }

  /// The same value as before is not what is stored after it was removed.
  @Test(arguments: PlaceKind.allCases)
  func aValueIsStoredAgainAfterItWasRemoved(_ kind: PlaceKind) async throws {
    let place = try Place(kind)
    let settings = place.make {
      Settings(store: $0, ignoreExternalChanges: true)
    } userDefaults: {
      Settings(userDefaults: $0, ignoreExternalChanges: true)
    }
    settings.first = "mine"
    try place.change(nil, for: "first")
    if kind == .file { #expect(await eventually { settings.first == "1" }) }
    settings.first = "mine"
    #expect(try place.stored("first") == "mine")
    #expect(settings.first == "mine")
  }

  @Test(arguments: PlaceKind.allCases)
  func keyPathsAreIgnoredWithAPrefixToo(_ kind: PlaceKind) async throws {
    let place = try Place(kind)
    let settings = place.make {
      Settings(store: $0, prefix: "p_", ignoredKeyPathsForExternalUpdates: [\.first])
    } userDefaults: {
      Settings(userDefaults: $0, prefix: "p_", ignoredKeyPathsForExternalUpdates: [\.first])
    }
    let (first, second) = (Signals { settings.first }, Signals { settings.second })
    try place.change("changed", for: "p_first")
    try place.change("changed", for: "p_second")
    #expect(await eventually { settings.first == "changed" && settings.second == "changed" })
    #expect(first.count == 0)
    #expect(second.count == 1)
  }

  @Test(arguments: PlaceKind.allCases, [false, true])
  func observersSeeTheOldValue(_ kind: PlaceKind, ignoring: Bool) async throws {
    let place = try Place(kind)
    let settings = place.make {
      Settings(store: $0, ignoreExternalChanges: ignoring)
    } userDefaults: {
      Settings(userDefaults: $0, ignoreExternalChanges: ignoring)
    }
    let signals = Signals { settings.first }
    settings.first = "own"
    #expect(signals.values == ["1"])
    guard !ignoring else { return }
    try place.change("other's", for: "first")
    #expect(await eventually { settings.first == "other's" })
    #expect(signals.values == ["1", "own"])
  }

  @Test func initialValuesAreMadeOnce() {
    let counted = Counted(store: InMemoryStore())
    let cloud = CountedCloud()
    #expect(counted.stored + counted.typed + counted.observed + counted.ignored + cloud.stored == 0)
    counted.stored = 5
    counted.observed = 5
    cloud.stored = 5
    #expect(counted.stored + counted.observed + cloud.stored == 15)
    for name in ["stored", "typed", "observed", "ignored", "cloud"] {
      #expect(Evaluations.shared.count(name) == 1, "\(name)")
    }
  }
}
#endif
