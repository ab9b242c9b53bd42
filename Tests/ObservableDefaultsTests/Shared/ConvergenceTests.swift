import Foundation
import Observation
import ObservableDefaults
import Plist
import Testing

@Suite(.serialized)
struct ConvergenceTests {
  let store = InMemoryStore()
  let key = DefaultKey("count", default: 0)

  private static var rounds: Int { ProcessInfo.processInfo.environment["PLIST_THOROUGH"] == "1" ? 10_000 : 500 }

  private func reaches(_ shown: LatestValue, _ value: Int) -> Bool {
    // Check every few microseconds at first, to make the next change soon after `value` has arrived.
    for _ in 0..<1_000 {
      if shown.value == value { return true }
      usleep(10)
    }
    return eventually(checks: 1_200_000) { shown.value == value }
  }

  private func change(_ round: Int, _ reference: SharedReference<Int>) {
    if round % 2 == 0 {
      reference.value = round
    } else {
      store.simulateExternalChange(PropertyList(round), for: "count")
    }
  }

  @Test func observations() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let reference = store.reference(for: key)
    let shown = LatestValue()
    let task = Task.detached {
      for await value in Observations({ reference.value }) { shown.set(value) }
    }
    let failures = try await onThread { [self] in
      (1...Self.rounds).filter { round in
        change(round, reference)
        return !reaches(shown, round)
      }
    }
    #expect(failures == [])
    task.cancel()
  }

  private actor Tracker {
    private let reference: SharedReference<Int>
    private let shown: LatestValue

    init(_ reference: SharedReference<Int>, _ shown: LatestValue) { (self.reference, self.shown) = (reference, shown) }

    func track() {
      let value = withObservationTracking {
        reference.value
      } onChange: {
        Task { await self.track() }
      }
      shown.set(value)
    }
  }

  @Test func trackingWithATask() async throws {
    let reference = store.reference(for: key)
    let shown = LatestValue()
    await Tracker(reference, shown).track()
    let failures = try await onThread { [self] in
      (1...Self.rounds).filter { round in
        change(round, reference)
        return !reaches(shown, round)
      }
    }
    #expect(failures == [])
  }

  @MainActor
  @Observable
  final class Model {
    @ObservationIgnored @UserDefault private var count: Int
    @ObservationIgnored private let shown: LatestValue

    init(_ key: DefaultKey<Int>, store: any DefaultsStore, shown: LatestValue) {
      _count = UserDefault(key, store: store)
      self.shown = shown
      show()
    }

    private func show() {
      let value = withObservationTracking {
        count
      } onChange: {
        Task { @MainActor in self.show() }
      }
      shown.set(value)
    }
  }

  @Test @MainActor func aMainActorClass() async throws {
    let reference = store.reference(for: key)
    let shown = LatestValue()
    let model = Model(key, store: store, shown: shown)
    let failures = try await onThread { [self] in
      (1...Self.rounds).filter { round in
        change(round, reference)
        return !reaches(shown, round)
      }
    }
    #expect(failures == [])
    withExtendedLifetime(model) {}
  }

  @Test func trackingInOnChange() async {
    let reference = store.reference(for: key)
    let shown = LatestValue()
    @Sendable func track() {
      let value = withObservationTracking {
        reference.value
      } onChange: {
        track()
      }
      shown.set(value)
    }
    track()
    for round in 1...Self.rounds {
      change(round, reference)
      #expect(shown.value == round)
    }
  }

  @Test(arguments: [0, 3, 40, 200, 1500])
  func aChangeWhileTheBodyRuns(_ milliseconds: UInt32) async {
    let reference = store.reference(for: key)
    let told = LatestValue()
    let value = await Task.detached { [store] in
      withObservationTracking {
        let value = reference.value
        onThreads(1) { _ in store.simulateExternalChange(1, for: "count") }
        usleep(milliseconds * 1000)
        return value
      } onChange: {
        told.set(reference.value)
      }
    }.value
    #expect(value == 0)
    #expect(await eventually { told.value == 1 })
  }

  @Test func oneSignalForAChange() async throws {
    let reference = store.reference(for: key)
    let signals = Recorder<Int>()
    for round in 1...5 {
      withObservationTracking {
        _ = reference.value
      } onChange: {
        signals.record(round)
      }
      change(round, reference)
      change(round, reference)
      store.reference(for: DefaultKey("other", default: 0)).value = round
    }
    #expect(signals.events == [1, 2, 3, 4, 5])
    withObservationTracking {
      _ = reference.value
    } onChange: {
      signals.record(6)
    }
    try await Task.sleep(for: .milliseconds(800))
    #expect(signals.events == [1, 2, 3, 4, 5])
  }

  @Test func observersAndStreamsUnderLoad() async {
    let reference = store.reference(for: key)
    let shown = LatestValue()
    let streamed = LatestValue()
    let changes = Recorder<[Int]>()
    let tokens = [
      reference.observe { shown.set($1) },
      reference.observe { changes.record([$0, $1]) },
    ]
    let updates = reference.updates
    let task = Task.detached { for await value in updates { streamed.set(value) } }
    onThreads(8) { _ in for _ in 0..<Self.rounds { reference.withLock { $0 += 1 } } }
    let count = 8 * Self.rounds
    #expect(await eventually { shown.value == count && streamed.value == count })
    #expect(await eventually { changes.events.count == count })
    #expect(zip(changes.events, changes.events.dropFirst()).allSatisfy { $0[1] == $1[0] })
    task.cancel()
    withExtendedLifetime(tokens) {}
  }

  @Test func anAssignmentReturnsWhenTheValueIsStored() {
    let reference = store.reference(for: key)
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let token = reference.observe { _, new in
      guard new == 1 else { return }
      isHeld.signal()
      mayGoOn.wait()
    }
    let group = DispatchGroup()
    group.enter()
    Thread {
      reference.value = 1
      group.leave()
    }.start()
    isHeld.wait()
    reference.value = 2
    #expect(store.contents == ["count": 2])
    struct Failure: Error {}
    store.simulateFailure(Failure())
    reference.value = 3
    #expect(reference.error is Failure)
    mayGoOn.signal()
    group.wait()
    withExtendedLifetime(token) {}
  }

  @Test func assignmentsOfManyThreadsAreStoredWhenTheyReturn() throws {
    let folder = try TestFolder()
    let file = PropertyListFileStore(url: folder.file())
    let reference = file.reference(for: DefaultKey("values", default: [Int: Int]().count))
    let missed = Recorder<Int>()
    onThreads(4) { _ in
      for _ in 0..<20 {
        let mine = reference.withLock { value in
          value += 1
          return value
        }
        let stored = (try? PropertyList(contentsOf: folder.file()))?["values"]?.int ?? 0
        if stored < mine { missed.record(mine) }
      }
    }
    #expect(missed.events == [])
    #expect(reference.value == 80)
  }
}

final class LatestValue: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var value: Int { lock.withLock { number } }
  func set(_ value: Int) { lock.withLock { number = value } }
}
