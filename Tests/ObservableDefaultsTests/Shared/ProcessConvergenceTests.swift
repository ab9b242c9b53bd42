import Foundation
import Observation
import ObservableDefaults
import Plist
import Testing

struct ProcessConvergenceTests {
  @Test func changesOfAnotherProcess() async throws {
    let folder = try TestFolder()
    let count = ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1" ? 10_000 : 300
    let store = PropertyListFileStore(url: folder.file())
    let reference = store.reference(for: DefaultKey("count", default: 0))
    @Shared(.appStorage("count", store: store)) var shared = 0
    let (tracked, observed, streamed, iterated) = (LatestValue(), LatestValue(), LatestValue(), LatestValue())
    let modelled = LatestValue()
    let model = await ConvergenceTests.Model(DefaultKey("count", default: 0), store: store, shown: modelled)
    let others = Recorder<Int>()
    @Sendable func track() {
      let value = withObservationTracking {
        reference.value
      } onChange: {
        Task { track() }
      }
      tracked.set(max(value, tracked.value))
    }
    track()
    let tokens = [
      $shared.observe { observed.set($1) },
      store.reference(for: DefaultKey("other", default: 0)).observe { others.record($1) },
    ]
    let updates = reference.updates
    let streaming = Task.detached { for await value in updates { streamed.set(value) } }
    var iterating: Task<Void, Never>?
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      iterating = Task.detached { for await value in Observations({ reference.value }) { iterated.set(value) } }
    }
    let probe = try Probe("count", folder.file().path, "\(count)")
    #expect(await probe.status() == 0)
    #expect(
      await eventually {
        [reference.value, shared, tracked.value, observed.value, streamed.value, modelled.value]
          .allSatisfy { $0 == count } && (iterating == nil || iterated.value == count)
      }, "\(reference.value) \(tracked.value) \(observed.value) \(streamed.value) \(modelled.value) \(iterated.value)")
    #expect(others.events == [])
    streaming.cancel()
    iterating?.cancel()
    withExtendedLifetime((tokens, model)) {}
  }
}

struct SampleTests {
  @Observable
  final class Preferences {
    final class Storage {
      @UserDefault("volume", store: InMemoryStore()) var volume = 0.5
    }

    @ObservationIgnored private let storage = Storage()
    var applied: [Double] = []

    var volume: Double = 0.5 {
      didSet {
        guard volume != oldValue else { return }
        storage.volume = volume
        applied.append(storage.volume)
      }
    }
  }

  @Test func aNestedClassWithDidSet() {
    let preferences = Preferences()
    preferences.volume = 0.7
    preferences.volume = 0.7
    #expect(preferences.applied == [0.7])
  }

  final class Counter: Sendable {
    private let count: SharedReference<Int>

    init(store: any DefaultsStore) { count = store.reference(for: DefaultKey("requests", default: 0)) }

    func handle() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  @Test func aSendableClass() async {
    let store = InMemoryStore()
    let counter = Counter(store: store)
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { _ = counter.handle() } }
    }
    #expect(store.contents == ["requests": 100])
  }
}
