import Foundation
import ObservableDefaults
import ObservableDefaultsCloud
import Plist
import Testing

/// The order of changes, observers and saves.
struct SettingOrderTests {
  @Test func theInitialCallOfAnObserverPrecedesTheCallsForChanges() {
    let reference = InMemoryStore().reference(for: DefaultKey("count", default: 0))
    let (events, begun) = (Recorder<Int>(), DispatchSemaphore(value: 0))
    let group = DispatchGroup()
    group.enter()
    Thread {
      begun.wait()
      reference.value = 1
      group.leave()
    }.start()
    let token = reference.observe(initial: true) { _, new in
      if new == 0 {
        begun.signal()
        group.wait()
      }
      events.record(new)
    }
    #expect(events.events == [0, 1])
    reference.value = 2
    #expect(events.events == [0, 1, 2])
    withExtendedLifetime(token) {}
  }

  @Test func aSubscriberOfTheStoreSetsTheValueWithoutWaiting() {
    let store = InMemoryStore()
    let reference = store.reference(for: DefaultKey("count", default: 0))
    let times = Recorder<Duration>()
    let token = store.subscribe { _ in
      if reference.value != 1 { return }
      times.record(ContinuousClock().measure { reference.value = 99 })
    }
    for _ in 0..<5 { reference.value = 1 }
    #expect(store.contents == ["count": 99])
    #expect(times.events.count == 5)
    // If the subscriber's assignment waited for the storing thread, each change would take at least 0.1 seconds.
    #expect(times.events.contains { $0 < .milliseconds(90) })
    withExtendedLifetime(token) {}
  }

  private enum Kind: CaseIterable {
    case memory, file, delayedFile, searchList, cloud

    func store(in folder: TestFolder) -> any DefaultsStore {
      switch self {
      case .memory: InMemoryStore()
      case .file: PropertyListFileStore(url: folder.file())
      case .delayedFile: PropertyListFileStore(url: folder.file(), saving: .debounced())
      case .searchList: SearchListStore(arguments: [], application: InMemoryStore())
      case .cloud: CloudStore(MockCloudBackend(), developmentMode: false)
      }
    }
  }

  /// A subscriber is called when the value is stored, so the thread for which it waits can store the next one.
  @Test(arguments: Kind.allCases) private func aSubscriberMayWaitForAThreadThatSetsTheValue(_ kind: Kind) throws {
    let folder = try TestFolder()
    let store = kind.store(in: folder)
    try expectThatSubscribersMayWait(store)
  }

  /// A reference knows the change that it has made itself.
  @Test(arguments: [Kind.memory, .file, .delayedFile, .cloud]) private func whatIsSavedIsNotDecodedAgain(
    _ kind: Kind
  ) throws {
    let folder = try TestFolder()
    let store = kind.store(in: folder)
    let decoded = Recorder<PropertyList>()
    let coding = DefaultsCoding<Int>("counted") {
      PropertyList($0)
    } decode: {
      decoded.record($0)
      return $0.int ?? 0
    }
    let count = store.reference(for: DefaultKey("count", default: 0, coding: coding))
    for number in 1...5 { count.value = number }
    #expect(decoded.events == [])
    try store.save(6, for: "count")
    #expect(count.value == 6)
    #expect(decoded.events == [6])
  }

  @Test func aValueThatIsEncodedAsNullShowsTheDefault() {
    let store = InMemoryStore()
    let reference = store.reference(for: DefaultKey<PropertyList>("list", default: 1))
    reference.value = 2
    reference.value = .null
    #expect(store.contents == [:])
    #expect(reference.value == 1)
    #expect(reference.isDefault)
  }

  private final class Values: Sendable {
    let stored = Recorder<Int>()
    let updates = AsyncStream.makeStream(of: Int.self)
  }

  private struct Key: PersistenceKey {
    let values: Values
    var didSave: @Sendable (Int) -> Void = { _ in }
    func load() -> Int? { values.stored.events.last }
    func save(_ value: Int) {
      didSave(value)
      values.stored.record(value)
    }
    var updates: AsyncStream<Int> { values.updates.stream }
    static func == (one: Self, other: Self) -> Bool { one.values === other.values }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(values)) }
  }

  @Test func aLateUpdateDoesNotReplaceANewerValue() async {
    let values = Values()
    let value = Shared(wrappedValue: 0, Key(values: values))
    value.wrappedValue = 11
    values.updates.continuation.yield(10)
    #expect(await !eventually(checks: 200) { value.wrappedValue != 11 })
  }

  @Test func aTaskOfASaveWaitsUntilItsValueIsStored() async throws {
    let values = Values()
    let shared = Recorder<Shared<Int>>()
    let stored = Recorder<Bool>()
    let key = Key(values: values) { number in
      guard number == 1 else { return }
      let begun = DispatchSemaphore(value: 0)
      Task {
        begun.signal()
        shared.events.last?.wrappedValue = 7
        stored.record(values.stored.events.contains(7))
      }
      begun.wait()
      Thread.sleep(forTimeInterval: 0.05)
    }
    let value = Shared(wrappedValue: 0, key)
    shared.record(value)
    try await onThread { value.wrappedValue = 1 }
    #expect(await eventually { stored.events == [true] })
    shared.clear()
  }

  @Test func aKeyInMemoryUsesTheScopeThatUsesTheKey() {
    let key: InMemoryKey<Int> = .inMemory("created outside of the scopes")
    withDefaultsStore(InMemoryStore()) {
      @Shared(key) var value = 0
      value = 5
      #expect(key.load() == 5)
    }
    withDefaultsStore(InMemoryStore()) {
      @Shared(key) var value = 0
      #expect(value == 0)
    }
  }
}
