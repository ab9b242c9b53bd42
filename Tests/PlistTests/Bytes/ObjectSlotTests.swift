import Dispatch
import Synchronization
import Testing

@testable import Plist

/// A place that threads put objects in and take them out of.
struct ObjectSlotTests {
  private final class Counted: Sendable {
    static let alive = Atomic<Int>(0)
    let number: Int

    init(_ number: Int) {
      self.number = number
      Self.alive.add(1, ordering: .relaxed)
    }

    deinit { Self.alive.subtract(1, ordering: .relaxed) }
  }

  /// Each object comes out once, or goes with the slot.
  @Test func nothingIsLostOrTakenTwice() {
    let count = 10_000
    let taken = Mutex([Int](repeating: 0, count: count))
    do {
      let slot = ObjectSlot<Counted>()
      DispatchQueue.concurrentPerform(iterations: 8) { @Sendable thread in
        for number in stride(from: thread, to: count, by: 8) {
          let other = number % 3 == 0 ? slot.take() : slot.put(Counted(number))
          if let other { taken.withLock { $0[other.number] += 1 } }
        }
      }
      if let last = slot.put(Counted(0)) { taken.withLock { $0[last.number] += 1 } }
      #expect(Counted.alive.load(ordering: .relaxed) == 1)
    }
    #expect(Counted.alive.load(ordering: .relaxed) == 0)
    #expect(taken.withLock { $0 } == (0..<count).map { $0 % 3 == 0 ? 0 : 1 })
  }
}
