import Foundation

/// A thread with a stack as small as that of an app's secondary threads.
enum SmallStack {
  /// Runs `body` on a thread with a stack of the given size, and returns its result.
  static func run(kibibytes: Int = 512, _ body: @escaping @Sendable () -> Bool) -> Bool {
    let outcome = Outcome()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      outcome.value = body()
      done.signal()
    }
    thread.stackSize = kibibytes * 1024
    thread.start()
    done.wait()
    return outcome.value
  }

  // The result is written before the semaphore is signalled, and read after the wait.
  private final class Outcome: @unchecked Sendable {
    var value = false
  }
}
