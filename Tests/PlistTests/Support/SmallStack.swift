import Foundation

/// A thread with the smallest stack that an app's threads have.
enum SmallStack {
  /// Runs `body` on a thread with a stack of 512 KiB and returns its result.
  static func run(_ body: @escaping @Sendable () -> Bool) -> Bool {
    let outcome = Outcome()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      outcome.value = body()
      done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    return outcome.value
  }

  // Written before the semaphore is signalled and read after it was waited for.
  private final class Outcome: @unchecked Sendable {
    var value = false
  }
}
