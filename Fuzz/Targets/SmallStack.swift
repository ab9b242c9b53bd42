import Foundation

/// A thread with a stack as small as those of an app's secondary threads.
public enum SmallStack {
  /// Runs `body` on a new thread with a stack of this size, and returns its result.
  public static func run<Result: Sendable>(
    kibibytes: Int = 512, _ body: @escaping @Sendable () -> Result
  ) -> Result {
    let outcome = Outcome<Result>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      outcome.value = body()
      done.signal()
    }
    thread.stackSize = kibibytes * 1024
    thread.start()
    done.wait()
    guard let value = outcome.value else { preconditionFailure("the thread has ended without a result") }
    return value
  }

  // `@unchecked Sendable` is sound because `value` is written before the semaphore is signaled and read after the wait.
  private final class Outcome<Value>: @unchecked Sendable {
    var value: Value?
  }
}
