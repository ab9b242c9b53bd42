import Foundation

/// A thread with the smallest stack that an app's threads have.
enum SmallStack {
  /// Runs `body` on a thread with a stack of 512 KiB, or another size, and returns its result.
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

  // Written before the semaphore is signalled and read after it was waited for.
  private final class Outcome: @unchecked Sendable {
    var value = false
  }
}
