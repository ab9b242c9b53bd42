import Foundation
import ObservableDefaults
import Plist
import Testing

final class Recorder<Event: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var recorded: [Event] = []

  var events: [Event] { lock.withLock { recorded } }

  func record(_ event: Event) { lock.withLock { recorded.append(event) } }

  func clear() { lock.withLock { recorded = [] } }
}

/// Checks a condition once a millisecond, and returns whether it became true.
///
/// The limit is a number of checks and not a time: while blocking tests occupy the concurrency pool, seconds could pass
/// before the awaited code gets to run.
func eventually(checks: Int = 300_000, _ condition: () throws -> Bool) async rethrows -> Bool {
  for _ in 0..<checks {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return try condition()
}

/// Checks a condition once a millisecond, and returns whether it became true.
///
/// For code on ``onThread(_:)``, outside the concurrency pool: it waits about `checks` milliseconds at most, even while
/// the pool is busy.
func eventually(checks: Int = 300_000, _ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<checks {
    if try condition() { return true }
    usleep(1000)
  }
  return try condition()
}

/// Runs code on a new thread, where it goes on even while blocking tests occupy the concurrency pool.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Swift.Result(catching: body)) }.start()
  }
}

func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread {
      body(number)
      group.leave()
    }.start()
  }
  group.wait()
}

/// Sets a value twice: the second time on a thread for which a subscriber of the store waits.
func expectThatSubscribersMayWait(_ store: any DefaultsStore) throws {
  let reference = Recorder<SharedReference<Int>>()
  let token = store.subscribe { _ in
    guard let count = reference.events.first, count.value == 1 else { return }
    onThreads(1) { _ in count.value = 2 }
  }
  let count = store.reference(for: DefaultKey("count", default: 0))
  reference.record(count)
  count.value = 1
  #expect(count.value == 2)
  #expect(try store.load("count") == 2)
  #expect(count.error == nil)
  reference.clear()
  withExtendedLifetime(token) {}
}
