#if Macros
import Foundation
import Observation

/// Counts the signals of what is read, each with what is visible then.
final class Signals<Value: Equatable & SendableMetatype>: @unchecked Sendable {
  private let lock = NSLock()
  private let read: () -> Value
  private let isResignalled: Bool
  private var seen: [Value] = []
  private var last: Value?

  /// Begins to observe what `read` reads.
  ///
  /// - Parameters:
  ///   - isResignalled: Whether observers that register while a change is announced are called again after it, as those of
  ///     stored properties are.
  ///   - read: Reads it.
  init(isResignalled: Bool = true, _ read: @escaping () -> Value) {
    self.read = read
    self.isResignalled = isResignalled
    track()
  }

  /// What was visible when each signal came.
  var values: [Value] { lock.withLock { seen } }

  var count: Int { values.count }

  /// - Parameter isAgain: Whether this is called while a change is announced, so that the old value is read. Such an
  ///   observer is called again after the change, which is not another change.
  private func track(isAgain: Bool = false) {
    let last = withObservationTracking {
      read()
    } onChange: {
      let value = self.read()
      let isOutdated = self.isResignalled && isAgain && value != self.lock.withLock { self.last }
      if !isOutdated { self.lock.withLock { self.seen.append(value) } }
      // At once, so that a second signal of the same change is counted too.
      self.track(isAgain: !isOutdated)
    }
    lock.withLock { self.last = last }
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
