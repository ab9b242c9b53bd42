#if Macros
import Foundation
import Observation

final class Signals<Value: Equatable & SendableMetatype>: @unchecked Sendable {
  private let lock = NSLock()
  private let read: () -> Value
  private let isResignalled: Bool
  private var seen: [Value] = []
  private var last: Value?

  init(isResignalled: Bool = true, _ read: @escaping () -> Value) {
    self.read = read
    self.isResignalled = isResignalled
    track()
  }

  var values: [Value] { lock.withLock { seen } }

  var count: Int { values.count }

  private func track(isAgain: Bool = false) {
    let last = withObservationTracking {
      read()
    } onChange: {
      let value = self.read()
      let isOutdated = self.isResignalled && isAgain && value != self.lock.withLock { self.last }
      if !isOutdated { self.lock.withLock { self.seen.append(value) } }
      self.track(isAgain: !isOutdated)
    }
    lock.withLock { self.last = last }
  }
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
#endif
