#if Macros
import Foundation
import Observation

/// A counter of observation signals, which records the visible value at each signal.
final class Signals<Value: Equatable & SendableMetatype>: @unchecked Sendable {
  private let lock = NSLock()
  private let read: () -> Value
  private let isResignalled: Bool
  private var seen: [Value] = []
  private var last: Value?

  /// Starts to observe the values that `read` reads.
  ///
  /// - Parameters:
  ///   - isResignalled: Whether observers that register while a change is announced are called again after the change.
  ///     Persisted properties do this.
  ///   - read: Reads the values.
  init(isResignalled: Bool = true, _ read: @escaping () -> Value) {
    self.read = read
    self.isResignalled = isResignalled
    track()
  }

  /// The value that was visible at each signal.
  var values: [Value] { lock.withLock { seen } }

  var count: Int { values.count }

  /// - Parameter isAgain: Whether this function is called while a change is announced, so that the old value is read.
  ///   Such an observer is called again after the change. The second call does not count as a second change.
  private func track(isAgain: Bool = false) {
    let last = withObservationTracking {
      read()
    } onChange: {
      let value = self.read()
      let isOutdated = self.isResignalled && isAgain && value != self.lock.withLock { self.last }
      if !isOutdated { self.lock.withLock { self.seen.append(value) } }
      // The tracking starts again immediately, so that a second signal of the same change is counted too.
      self.track(isAgain: !isOutdated)
    }
    lock.withLock { self.last = last }
  }
}

/// Waits until a condition is true, and returns whether it is.
func eventually(within limit: Duration = .seconds(300), _ condition: () throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return try condition()
}
#endif
