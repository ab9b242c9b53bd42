#if Macros
import Foundation
import Observation

final class Signals<Value: Equatable & SendableMetatype>: @unchecked Sendable {
  private let lock = NSLock()
  private let read: () -> Value
  private let isResignalled: Bool
  private var seen: [Value] = []
  private var last: Value?

  /// If `isResignalled` is true, observers that register while a change is announced are called again after the change.
  ///
  /// Persisted properties call such observers again.
  init(isResignalled: Bool = true, _ read: @escaping () -> Value) {
    self.read = read
    self.isResignalled = isResignalled
    track()
  }

  /// `values` has the value that was visible at each signal.
  var values: [Value] { lock.withLock { seen } }

  var count: Int { values.count }

  /// If `isAgain` is true, this function is called while a change is announced, so that the old value is read.
  ///
  /// An observer that registers during an announcement is called again after the change. The second call does not count
  /// as a second change.
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

/// Returns whether the condition becomes true within the limit.
func eventually(within limit: Duration = .seconds(300), _ condition: () throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return try condition()
}
#endif
