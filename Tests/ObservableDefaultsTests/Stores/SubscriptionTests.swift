import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import Plist
import Testing

/// A subscription begins on one thread while the only other one ends on another.
struct SubscriptionTests {
  /// Expects the second subscriber to receive a later change, whether or not the first has ended before.
  private func race(_ store: any DefaultsStore, rounds: Int, change: (Int) throws -> Void) async throws {
    for round in 1...rounds {
      let first = store.subscribe { _ in }
      let (ready, tokens) = (Recorder<Int>(), Recorder<DefaultsSubscription>())
      let changes = Recorder<DefaultsChange>()
      let pause = Int.random(in: 0...40)
      onThreads(2) { thread in
        ready.record(thread)
        while ready.events.count < 2 {}
        if thread == 0 {
          for _ in 0..<pause { _ = ready.events.count }
          first.cancel()
        } else {
          tokens.record(store.subscribe { changes.record($0) })
        }
      }
      changes.clear()
      try change(round)
      try #require(await eventually { !changes.events.isEmpty })
      tokens.clear()
    }
  }

  @Test func fileStores() async throws {
    let folder = try TestFolder()
    try await race(PropertyListFileStore(url: folder.file()), rounds: 300) { round in
      try PropertyList(["count": PropertyList(round)]).data(format: .xml).write(to: folder.file())
    }
  }

  @Test func aSubscriptionRetainsWhatItObserves() async throws {
    let folder = try TestFolder()
    let changes = Recorder<DefaultsChange>()
    let token = PropertyListFileStore(url: folder.file()).subscribe { changes.record($0) }
    try PropertyList(["a": 1]).write(to: folder.file(), format: .xml)
    #expect(await eventually { changes.events == [DefaultsChange(origin: .external, keys: ["a"])] })
    let backend = MockCloudBackend()
    let cloudToken = CloudStore(backend).subscribe { changes.record($0) }
    try CloudStore(backend).save(1, for: "cloud")
    #expect(changes.events.last?.keys == ["cloud"])
    withExtendedLifetime((token, cloudToken)) {}
  }
}
