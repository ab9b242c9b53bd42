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

  /// What the last tracked read returned.
  ///
  /// A change by another thread is visible before its observers have registered again. A test that waits for `tracked`
  /// to change waits for that, too.
  var tracked: Value? { lock.withLock { last } }

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
#endif
