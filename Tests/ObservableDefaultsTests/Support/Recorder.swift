import Foundation
import Testing

final class Recorder<Event: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var recorded: [Event] = []

  var events: [Event] { lock.withLock { recorded } }

  func record(_ event: Event) { lock.withLock { recorded.append(event) } }

  func clear() { lock.withLock { recorded = [] } }
}

/// Checks a condition once a millisecond. `limit` bounds the number of checks, not the time: where tests that block
/// occupy all threads of the pool, a time can end before what is waited for has run at all.
func eventually(within limit: Duration = .seconds(300), _ condition: () throws -> Bool) async rethrows -> Bool {
  for _ in 0..<Int(limit / .milliseconds(1)) {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return try condition()
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
