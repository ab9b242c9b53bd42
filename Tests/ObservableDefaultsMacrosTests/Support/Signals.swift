#if Macros
import Foundation
import Observation

/// Counts the signals of what is read, each with what is visible then.
final class Signals<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private let read: () -> Value
  private var seen: [Value] = []

  /// Begins to observe what `read` reads.
  init(_ read: @escaping () -> Value) {
    self.read = read
    track()
  }

  /// What was visible when each signal came.
  var values: [Value] { lock.withLock { seen } }

  var count: Int { values.count }

  private func track() {
    withObservationTracking {
      _ = read()
    } onChange: {
      let value = self.read()
      self.lock.withLock { self.seen.append(value) }
      // At once, so that a second signal of the same change is counted too.
      self.track()
    }
  }
}

/// Waits until something is so, and returns whether it is.
func eventually(within limit: Duration = .seconds(10), _ condition: () throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return try condition()
}
#endif
