import Foundation
import Observation
import ObservableDefaults
import Plist
import Testing

struct ConcurrencyTests {
  let store = InMemoryStore()
  let key = DefaultKey("count", default: 0)

  @Test func incrementsAreNotLost() {
    let reference = store.reference(for: key)
    onThreads(8) { [store, key] thread in
      let own = thread % 2 == 0 ? reference : store.reference(for: key)
      for _ in 0..<2_000 { own.withLock { $0 += 1 } }
    }
    #expect(reference.value == 16_000)
    #expect(store.contents == ["count": 16_000])
  }

  @Test func incrementsOfAFileAreNotLost() throws {
    let folder = try TestFolder()
    let file = PropertyListFileStore(url: folder.file(), saving: .debounced(.milliseconds(5)))
    let reference = file.reference(for: key)
    onThreads(4) { _ in
      for _ in 0..<2_000 { reference.withLock { $0 += 1 } }
    }
    #expect(reference.value == 8_000)
    #expect(reference.error == nil)
    try file.flush()
    #expect(try folder.contents() == ["count": 8_000])
  }

  @Test func theStoreAndObserversSeeTheOrderOfTheChanges() {
    let reference = store.reference(for: key)
    let observed = Recorder<[Int]>()
    let saved = Recorder<Int>()
    let tokens = [
      reference.observe { observed.record([$0, $1]) },
      store.subscribe { [store] _ in saved.record((try? store.load("count"))?.int ?? -1) },
    ]
    onThreads(8) { _ in
      for _ in 0..<500 { reference.withLock { $0 += 1 } }
    }
    #expect(observed.events.first?.first == 0)
    #expect(observed.events.last?.last == 4_000)
    #expect(zip(observed.events, observed.events.dropFirst()).allSatisfy { $0[1] == $1[0] && $0[0] < $0[1] })
    #expect(zip(saved.events, saved.events.dropFirst()).allSatisfy { $0 <= $1 })
    withExtendedLifetime(tokens) {}
  }

  @Test func observersMaySetTheValue() {
    let reference = store.reference(for: key)
    let tokens = [
      reference.observe { _, new in if new < 10 { reference.value = new + 1 } },
      store.subscribe { _ in reference.withLock { if $0 == 10 { $0 = 100 } } },
    ]
    reference.value = 1
    #expect(reference.value == 100)
    #expect(store.contents == ["count": 100])
    withExtendedLifetime(tokens) {}
  }

  @Test func onChangeMaySetTheValue() {
    let reference = store.reference(for: key)
    let other = store.reference(for: DefaultKey("other", default: 0))
    withObservationTracking {
      _ = reference.value
    } onChange: {
      reference.withLock { $0 += 10 }
      other.value = 5
    }
    reference.value = 1
    #expect(reference.value == 11)
    #expect(store.contents == ["count": 11, "other": 5])
  }

  @Test func observersMayWaitForOtherThreads() {
    let reference = store.reference(for: key)
    let other = store.reference(for: DefaultKey("other", default: 0))
    withObservationTracking {
      _ = reference.value
    } onChange: {
      onThreads(2) { _ in
        reference.withLock { $0 += 1 }
        other.withLock { $0 += reference.value }
      }
    }
    let token = other.observe { _, _ in onThreads(1) { _ in _ = reference.value + other.value } }
    reference.value = 1
    #expect(reference.value == 3)
    withExtendedLifetime(token) {}
  }

  @Test func readersSeeTheOldValueDuringAChange() {
    let reference = store.reference(for: key)
    let seen = reference.withLock { value in
      value = 5
      return reference.value
    }
    #expect(seen == 0)
    #expect(reference.value == 5)
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try reference.withLock { value in
        value = 6
        throw Failure()
      }
    }
    #expect(reference.value == 5)
  }

  @Test func localAndExternalChangesAtOnceAgreeInTheEnd() {
    let reference = store.reference(for: key)
    onThreads(4) { [store] thread in
      for number in 0..<500 {
        switch thread {
        case 0: store.simulateExternalChange(PropertyList(-number), for: "count")
        case 1: try? store.save(PropertyList(number), for: "count")
        default: reference.value = thread * 1000 + number
        }
      }
    }
    #expect(store.contents == ["count": PropertyList(reference.value)])
  }

  @Test func referencesComeAndGoOnManyThreads() {
    onThreads(8) { [store] thread in
      for number in 0..<300 {
        let reference = store.reference(for: DefaultKey("\(number % 5)", default: 0))
        let token = reference.observe { _, _ in }
        reference.withLock { $0 += 1 }
        if number % 3 == 0 { _ = reference.updates }
        token.cancel()
      }
    }
    let total = (0..<5).map { store.reference(for: DefaultKey("\($0)", default: 0)).value }.reduce(0, +)
    #expect(total == 8 * 300)
  }

  @Test func oneChangeSignalsOneOfMany() {
    let references = (0..<10_000).map { store.reference(for: DefaultKey("key\($0)", default: 0)) }
    let signalled = Recorder<Int>()
    let tokens = references.enumerated().map { index, reference in reference.observe { _, _ in signalled.record(index) }
    }
    for (index, reference) in references.enumerated() {
      withObservationTracking {
        _ = reference.value
      } onChange: {
        signalled.record(-index)
      }
    }
    store.simulateExternalChange(1, for: "key4321")
    #expect(signalled.events == [-4321, 4321])
    withExtendedLifetime(tokens) {}
  }
}
