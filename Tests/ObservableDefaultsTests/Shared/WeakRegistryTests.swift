import Plist
import Testing

@testable import ObservableDefaults

@Suite("The registry of references")
struct WeakRegistryTests {
  private final class Object: Sendable {}

  /// Counts how often it is hashed.
  private struct Key: Hashable {
    let number: Int
    let counter: Counter

    static func == (key: Key, other: Key) -> Bool { key.number == other.number }

    func hash(into hasher: inout Hasher) {
      counter.count.withLock { $0 += 1 }
      hasher.combine(number)
    }
  }

  private final class Counter: Sendable {
    let count = Guarded(0)
  }

  @Test("A key has the same object as long as the object is in use")
  func objects() {
    let registry = WeakRegistry<Int, Object>()
    let kept = (0..<100).map { registry.object(for: $0) { Object() } }
    for number in 100..<1000 { _ = registry.object(for: number) { Object() } }
    for number in 0..<100 { #expect(registry.object(for: number) { Object() } === kept[number]) }
  }

  @Test("Objects with a short life do not cause a search through all objects", arguments: [62, 63, 1022, 1023, 1500])
  func shortLives(_ count: Int) {
    let counter = Counter()
    let registry = WeakRegistry<Key, Object>()
    let kept = (0..<count).map { registry.object(for: Key(number: $0, counter: counter)) { Object() } }
    let before = counter.count.withLock { $0 }
    for number in count..<count + 3000 { _ = registry.object(for: Key(number: number, counter: counter)) { Object() } }
    #expect(counter.count.withLock { $0 } - before < 3000 * 20)
    withExtendedLifetime(kept) {}
  }
}
