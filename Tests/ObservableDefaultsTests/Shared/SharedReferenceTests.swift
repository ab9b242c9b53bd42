import Dispatch
import Foundation
import Observation
import ObservableDefaults
import Plist
import Testing

struct SharedReferenceTests {
  let store = InMemoryStore()
  let key = DefaultKey("count", default: 7)

  @Test func beginsWithWhatIsStored() throws {
    #expect(store.reference(for: key).value == 7)
    #expect(store.reference(for: key).isDefault)
    #expect(store.contents == [:])
    try store.save(3, for: "count")
    #expect(store.reference(for: key).value == 3)
    #expect(!store.reference(for: key).isDefault)
  }

  @Test func isOneForAKey() {
    let reference = store.reference(for: key)
    #expect(store.reference(for: DefaultKey("count", default: 7)) === reference)
    #expect(store.reference(for: DefaultKey("other", default: 7)) !== reference)
    #expect(InMemoryStore().reference(for: key) !== reference)
  }

  @Test func differentTypesAgree() {
    let integer = store.reference(for: key)
    let real = store.reference(for: DefaultKey("count", default: 0.5))
    #expect((integer.value, real.value) == (7, 0.5))
    integer.value = 3
    #expect((integer.value, real.value) == (3, 3.0))
    real.value = 4
    #expect((integer.value, real.value) == (4, 4.0))
    integer.reset()
    #expect((integer.value, real.value) == (7, 0.5))
  }

  @Test func differentDefaultsGiveOneValue() {
    var reference: SharedReference? = store.reference(for: key)
    let other = store.reference(for: DefaultKey("count", default: 8))
    #expect(other === reference)
    @Shared(.appStorage("count", store: store)) var app = 9
    @UserDefault("count", store: store) var property = 10
    #expect((app, property) == (7, 7))
    @Shared(.inMemory("count of two defaults")) var one = 1
    @Shared(.inMemory("count of two defaults")) var two = 2
    #expect((one, two) == (1, 1))
    reference = nil
  }

  /// A thread must see the value it has set, even if another thread was just publishing the same one.
  @Test func whatWasSetIsVisibleAfterwards() {
    let reference = store.reference(for: key)
    let (isAnnounced, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    withObservationTracking {
      _ = reference.value
    } onChange: {
      isAnnounced.signal()
      mayGoOn.wait()
    }
    let done = DispatchGroup()
    DispatchQueue.global().async(group: done) { reference.value = 8 }
    isAnnounced.wait()
    #expect(reference.value == 7)
    reference.value = 8
    #expect(reference.value == 8)
    mayGoOn.signal()
    done.wait()
    #expect(reference.value == 8)
  }

  @Test func setsAndResets() {
    let reference = store.reference(for: key)
    reference.value = 8
    #expect(store.contents == ["count": 8])
    #expect(!reference.isDefault)
    reference.reset()
    #expect(store.contents == [:])
    #expect(reference.value == 7)
    #expect(reference.isDefault)
  }

  @Test func equalValuesChangeNothing() {
    let reference = store.reference(for: key)
    let signals = Recorder<String>()
    let tokens = [
      reference.observe { signals.record("\($0) \($1)") },
      store.subscribe { _ in signals.record("saved") },
    ]
    reference.value = 7
    #expect(signals.events == [])
    reference.value = 8
    reference.value = 8
    reference.value = 9
    #expect(signals.events == ["saved", "7 8", "saved", "8 9"])
    withExtendedLifetime(tokens) {}
  }

  @Test func valuesThatAreNotEquatableAreComparedByTheirForm() {
    struct Point: Codable { var x: Int }
    let reference = store.reference(for: DefaultKey("point", default: Point(x: 1)))
    let changes = Recorder<String>()
    let token = reference.observe { changes.record("\($0.x) \($1.x)") }
    reference.value = Point(x: 1)
    #expect(store.contents == [:])
    reference.value = Point(x: 2)
    reference.value = Point(x: 2)
    #expect(changes.events == ["1 2"])
    #expect(store.contents == ["point": ["x": 2]])
    withExtendedLifetime(token) {}
  }

  @Test func notANumberIsEqualToItself() {
    let reference = store.reference(for: DefaultKey("real", default: 0.0))
    let changes = Recorder<Double>()
    let token = reference.observe { changes.record($1) }
    reference.value = .nan
    reference.value = .nan
    #expect(changes.events.count == 1)
    withExtendedLifetime(token) {}
  }

  @Test func theOldValueIsVisibleInOnChange() {
    let reference = store.reference(for: key)
    let seen = Recorder<Int>()
    withObservationTracking {
      _ = reference.value
    } onChange: {
      seen.record(reference.value)
    }
    reference.value = 8
    reference.value = 9
    #expect(seen.events == [7])
    #expect(reference.value == 9)
  }

  @Test func onlyWhatIsReadIsTracked() {
    let reference = store.reference(for: key)
    let changed = Recorder<String>()
    withObservationTracking {
      _ = reference.isDefault
    } onChange: {
      changed.record("isDefault")
    }
    withObservationTracking {
      _ = reference.error
    } onChange: {
      changed.record("error")
    }
    withObservationTracking {
      _ = reference.value
    } onChange: {
      changed.record("value")
    }
    store.reference(for: DefaultKey("other", default: 0)).value = 1
    #expect(changed.events == [])
    reference.value = 8
    #expect(Set(changed.events) == ["value", "isDefault"])
  }

  @Test func externalChangesAreTracked() {
    let reference = store.reference(for: key)
    let seen = Recorder<[Int]>()
    withObservationTracking {
      _ = reference.value
    } onChange: {
      seen.record([reference.value])
    }
    let token = reference.observe { seen.record([$0, $1]) }
    store.simulateExternalChange(20, for: "count")
    #expect(seen.events == [[7], [7, 20]])
    store.simulateExternalChange(nil, for: "count")
    #expect(seen.events == [[7], [7, 20], [20, 7]])
    #expect(reference.isDefault)
    withExtendedLifetime(token) {}
  }

  @Test func observationsGiveLocalAndExternalChanges() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let reference = store.reference(for: key)
    let (received, continuation) = AsyncStream.makeStream(of: Int.self)
    let task = Task {
      for await value in Observations({ reference.value }) { continuation.yield(value) }
    }
    var iterator = received.makeAsyncIterator()
    #expect(await iterator.next() == 7)
    reference.value = 8
    #expect(await iterator.next() == 8)
    store.simulateExternalChange(9, for: "count")
    #expect(await iterator.next() == 9)
    task.cancel()
  }

  @Test func anUndecodableValueIsKept() {
    let store = InMemoryStore(["count": "many"])
    let reference = store.reference(for: key)
    #expect(reference.value == 7)
    #expect((reference.error as? DefaultsError)?.code == .undecodableValue)
    #expect(reference.storedPropertyList == "many")
    #expect(store.contents == ["count": "many"])
    reference.value = 7
    #expect(reference.error == nil)
    #expect(!reference.isDefault)
    #expect(store.contents == ["count": 7, "count.undecodable": "many"])
  }

  @Test func becomesUndecodableAndDecodableFromOutside() {
    let reference = store.reference(for: key)
    reference.value = 1
    let errors = Recorder<Bool>()
    withObservationTracking {
      _ = reference.error
    } onChange: {
      errors.record(reference.error == nil)
    }
    store.simulateExternalChange("many", for: "count")
    #expect(errors.events == [true])
    #expect(reference.error != nil)
    #expect(reference.value == 7)
    store.simulateExternalChange(3, for: "count")
    #expect(reference.error == nil)
    #expect(reference.value == 3)
  }

  @Test func aValueThatCannotBeStoredShowsAllTheSame() {
    struct Failure: Error {}
    let reference = store.reference(for: key)
    store.simulateFailure(Failure())
    reference.value = 8
    #expect(reference.value == 8)
    #expect(reference.error is Failure)
    store.simulateFailure(nil)
    reference.value = 8
    #expect(reference.error == nil)
    #expect(store.contents == ["count": 8])
  }

  @Test func aStoreThatCannotBeReadIsNotTakenForEmpty() {
    struct Failure: Error {}
    let store = InMemoryStore(["count": 3])
    store.simulateFailure(Failure())
    let reference = store.reference(for: key)
    #expect(reference.error is Failure)
    store.simulateFailure(nil)
    reference.notifyExternalChange()
    #expect(reference.error == nil)
    #expect(reference.value == 3)
  }

  @Test func changesThatTheStoreDoesNotNotice() throws {
    let file = try TestFolder()
    let cache = CachedNumber()
    let reference = cache.store.reference(for: key)
    cache.number.withLock { $0 = 12 }
    #expect(reference.value == 7)
    reference.notifyExternalChange()
    #expect(reference.value == 12)
    withExtendedLifetime(file) {}
  }

  @Test func goesAwayWhenReleased() {
    weak var reference: SharedReference<Int>?
    do {
      let held = store.reference(for: key)
      reference = held
      held.value = 8
      var token: DefaultsSubscription? = held.observe { _, _ in }
      var updates: AsyncStream<Int>? = held.updates
      _ = (token, updates)
      token = nil
      updates = nil
    }
    #expect(reference == nil)
    #expect(store.reference(for: key).value == 8)
  }

  @Test func aTokenKeepsItsReferenceUntilItEnds() {
    weak var reference: SharedReference<Int>?
    let changes = Recorder<Int>()
    var token: DefaultsSubscription?
    do {
      let held = store.reference(for: key)
      reference = held
      token = held.observe(initial: true) { changes.record($1) }
    }
    #expect(reference != nil)
    store.simulateExternalChange(1, for: "count")
    token?.cancel()
    store.simulateExternalChange(2, for: "count")
    token = nil
    #expect(changes.events == [7, 1])
    #expect(reference == nil)
  }

  @Test func anObserverIsNotCalledAfterAnEarlierObserverHasCancelledIt() {
    let reference = store.reference(for: key)
    let changes = Recorder<Int>()
    let tokens = Recorder<DefaultsSubscription>()
    let first = reference.observe { _, _ in for token in tokens.events { token.cancel() } }
    tokens.record(reference.observe { changes.record($1) })
    reference.value = 1
    #expect(changes.events == [])
    withExtendedLifetime(first) {}
  }

  @Test func anErrorIsShownThoughAnotherStoreHasStoredTheValue() {
    let layers = WriteThroughStore()
    let reference = layers.reference(for: key)
    struct Failure: Error {}
    layers.file.simulateFailure(Failure())
    let wasStored = Recorder<Bool>()
    let token = layers.cache.subscribe { _ in
      let thread = Recorder<Bool>()
      Thread {
        reference.withLock { _ in }
        thread.record(true)
      }.start()
      Thread.sleep(forTimeInterval: 0.2)
      wasStored.record(!thread.events.isEmpty)
    }
    reference.value = 8
    #expect(reference.error is Failure)
    #expect(reference.value == 8)
    #expect(wasStored.events == [false])
    layers.file.simulateFailure(nil)
    token.cancel()
    reference.value = 8
    #expect(reference.error == nil)
    #expect(layers.file.contents == ["count": 8])
  }

  @Test func updatesAreForAllAndKeepTheNewest() async {
    let reference = store.reference(for: key)
    let streams = [reference.updates, reference.updates]
    for number in 1...100 { reference.value = number }
    for stream in streams {
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next() == 100)
      reference.value += 1
      #expect(await iterator.next() == reference.value)
      reference.value = 100
      _ = await iterator.next()
    }
    var values = reference.values.makeAsyncIterator()
    #expect(await values.next() == 100)
    store.simulateExternalChange(1, for: "count")
    #expect(await values.next() == 1)
  }
}

private final class WriteThroughStore: DefaultsStore {
  let cache = InMemoryStore()
  let file = InMemoryStore()
  var identity: DefaultsStoreIdentity { DefaultsStoreIdentity(self) }
  func load(_ key: String) throws -> PropertyList? { try cache.load(key) }
  func save(_ value: PropertyList?, for key: String) throws {
    try cache.save(value, for: key)
    try file.save(value, for: key)
  }
  func update(_ body: (inout DefaultsBatch) throws -> Void) throws {
    try cache.update(body)
    try file.update(body)
  }
  func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
    file.subscribe(handler)
  }
}

private final class CachedNumber: @unchecked Sendable {
  final class Store: DefaultsStore {
    let number: LockedNumber
    init(_ number: LockedNumber) { self.number = number }
    var identity: DefaultsStoreIdentity { DefaultsStoreIdentity(self) }
    func load(_ key: String) -> PropertyList? { number.withLock { $0.map { PropertyList($0) } } }
    func save(_ value: PropertyList?, for key: String) { number.withLock { $0 = value?.int } }
    func update(_ body: (inout DefaultsBatch) throws -> Void) throws {}
    func subscribe(_ handler: @escaping @Sendable (DefaultsChange) -> Void) -> DefaultsSubscription {
      DefaultsSubscription {}
    }
  }

  let number = LockedNumber()
  let store: Store

  init() { store = Store(number) }
}

private final class LockedNumber: @unchecked Sendable {
  private let lock = NSLock()
  private var number: Int?

  func withLock<Result>(_ body: (inout Int?) -> Result) -> Result { lock.withLock { body(&number) } }
}
